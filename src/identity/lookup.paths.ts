/** Declares `identity/lookup/entity` and `identity/lookup/group`: finding one by whatever is known of it. */
import { invalidRequest } from "../api/errors.ts";
import { text, type Values } from "../api/fields.ts";
import { pathsFor } from "../api/path.ts";
import type { IdentityServices } from "./services.ts";
import { entityFields, shownEntity } from "./shown-entity.ts";
import { groupFields, shownGroup } from "./shown-group.ts";

const path = pathsFor<IdentityServices>();

const clues = {
  id: text("Its id").default(""),
  name: text("Its name").default(""),
  alias_id: text("Id of one of its aliases").default(""),
  alias_name: text("What a mount calls it; needs alias_mount_accessor too").default(""),
  alias_mount_accessor: text("Accessor of that mount; needs alias_name too").default(""),
};

/** Whatever can be found by such clues. */
interface Findable<Item> {
  get(id: string): Promise<Item | undefined>;
  named(name: string): Promise<Item | undefined>;
  withAlias(aliasId: string): Promise<Item | undefined>;
  withAliasNamed(mountAccessor: string, name: string): Promise<Item | undefined>;
}

async function find<Item>(
  clue: Values<typeof clues>,
  given: (field: string) => boolean,
  all: Findable<Item>,
): Promise<Item | undefined> {
  requireOneClue(clue, given);
  if (clue.id !== "") return all.get(clue.id);
  if (clue.name !== "") return all.named(clue.name);
  if (clue.alias_id !== "") return all.withAlias(clue.alias_id);
  if (clue.alias_name !== "") return all.withAliasNamed(clue.alias_mount_accessor, clue.alias_name);
  return undefined;
}

function requireOneClue(clue: Values<typeof clues>, given: (field: string) => boolean): void {
  const count = Object.keys(clues).filter(given).length;
  if (count === 0) throw invalidRequest("query parameter not supplied");
  const hasName = clue.alias_name !== "";
  const hasMount = clue.alias_mount_accessor !== "";
  if (count === 1 && (hasName || hasMount)) {
    throw invalidRequest("both 'alias_name' and 'alias_mount_accessor' needs to be set");
  }
  if (count > 1 && !(count === 2 && hasName && hasMount)) {
    throw invalidRequest("query parameter conflict; please supply distinct set of query parameters");
  }
}

const entity = path({
  pattern: "lookup/entity",
  summary: "Find an entity",
  write: {
    summary: "Find an entity by its id, its name, or one of its aliases; no answer when there is none",
    input: clues,
    output: entityFields,
    async handler(clue, { services, given }) {
      const { entities } = services;
      const found = await find(clue, given, {
        get: (id) => entities.get(id),
        named: (name) => entities.named(name),
        withAlias: async (id) => (await entities.withAlias(id))?.entity,
        withAliasNamed: async (accessor, name) => (await entities.withAliasNamed(accessor, name))?.entity,
      });
      return found && shownEntity(found, services);
    },
  },
  examples: [{ operation: "write", request: { alias_name: "ada", alias_mount_accessor: "auth_userpass_1a2b3c4d" } }],
});

const group = path({
  pattern: "lookup/group",
  summary: "Find a group",
  write: {
    summary: "Find a group by its id, its name, or its alias; no answer when there is none",
    input: clues,
    output: groupFields,
    async handler(clue, { services, given }) {
      const { groups } = services;
      const found = await find(clue, given, {
        get: (id) => groups.get(id),
        named: (name) => groups.named(name),
        withAlias: async (id) => (await groups.withAlias(id))?.group,
        withAliasNamed: async (accessor, name) => (await groups.withAliasNamed(accessor, name))?.group,
      });
      return found && shownGroup(found, services);
    },
  },
  examples: [{ operation: "write", request: { name: "web" } }],
});

export const lookupPaths = [entity, group];
