/** Declares `identity/entity` and everything below it. */
import { absent, invalidRequest } from "../api/errors.ts";
import { dictionary, flag, groups, items, list, named, text } from "../api/fields.ts";
import { keysField, pageFields, pageOf } from "../api/list-fields.ts";
import { type Context, pathsFor } from "../api/path.ts";
import type { EntityRequest } from "./entity-changes.ts";
import { withInfo } from "./listed.ts";
import type { IdentityServices } from "./services.ts";
import { briefAlias, briefAliasFields } from "./shown-alias.ts";
import { entityFields, shownEntity } from "./shown-entity.ts";

const path = pathsFor<IdentityServices>();

const settings = {
  metadata: dictionary("Notes: at most 64 pairs, keys of at most 128 bytes, values of at most 512").optional(),
  policies: list("Policies that its tokens have besides their own; never root").optional(),
  disabled: flag("Refuse its tokens, without revoking them").optional(),
};

const idInput = { id: text("Id of an entity that exists").default("") };
const nameInput = { name: text("Name of the entity").default("") };

const created = {
  id: text("Id of the new entity"),
  name: text("Name of the new entity"),
  aliases: items("Ids of its aliases; null, since it has none yet").nullable(),
};

async function write(request: EntityRequest, { services, now }: Context<IdentityServices>) {
  const made = await services.entityChanges.write(request, now);
  return made && { id: made.id, name: made.name, aliases: null };
}

const entities = path({
  pattern: "entity",
  summary: "People and machines, whatever mounts call them",
  write: {
    summary: "Make an entity, or change the one with this id or name",
    input: { ...idInput, ...nameInput, ...settings },
    output: created,
    handler: write,
  },
  examples: [{ operation: "write", request: { name: "ada", policies: "team-web", metadata: { team: "web" } } }],
});

const byId = path({
  pattern: "entity/id/:id",
  summary: "One entity, by its id",
  params: { id: text("Id of the entity") },
  read: {
    summary: "Read an entity",
    output: entityFields,
    async handler({ id }, { services }) {
      const entity = await services.entities.get(id);
      if (!entity) throw absent();
      return shownEntity(entity, services);
    },
  },
  write: { summary: "Change an entity", input: { ...nameInput, ...settings }, output: created, handler: write },
  delete: {
    summary: "Delete an entity, its aliases and its memberships; its tokens are refused from then on",
    handler: ({ id }, { services }) => services.entityChanges.delete([id]),
  },
});

const byName = path({
  pattern: "entity/name/:name*",
  summary: "One entity, by its name; upper and lower case are the same",
  params: { name: text("Name of the entity") },
  read: {
    summary: "Read an entity",
    output: entityFields,
    async handler({ name }, { services }) {
      const entity = await services.entities.named(name);
      if (!entity) throw absent();
      return shownEntity(entity, services);
    },
  },
  write: {
    summary: "Make or change the entity of this name",
    input: { ...idInput, ...settings },
    output: created,
    handler: write,
  },
  delete: {
    summary: "Delete an entity, its aliases and its memberships; its tokens are refused from then on",
    async handler({ name }, { services }) {
      const entity = await services.entities.named(name);
      if (entity) await services.entityChanges.delete([entity.id]);
    },
  },
});

const ids = path({
  pattern: "entity/id",
  summary: "Ids of entities",
  list: {
    summary: "List entities by id, with their names and aliases",
    input: pageFields,
    output: {
      ...keysField,
      key_info: named("What there is to know of each", {
        name: text("Name of the entity"),
        aliases: groups("What mounts call it", briefAliasFields).optional(),
      }),
    },
    handler: async (page, { services }) =>
      withInfo(await services.entities.list(pageOf(page)), (id) => briefEntity(id, services)),
  },
});

const names = path({
  pattern: "entity/name",
  summary: "Names of entities",
  list: {
    summary: "List entities by name",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.entities.names(pageOf(page)) }),
  },
});

const batchDelete = path({
  pattern: "entity/batch-delete",
  summary: "Delete several entities",
  write: {
    summary: "Delete several entities at once; ids of none are passed over",
    input: { entity_ids: list("Ids of the entities").default([]) },
    async handler({ entity_ids }, { services }) {
      if (entity_ids.length === 0) throw invalidRequest("missing entity ids to delete");
      await services.entityChanges.delete(entity_ids);
    },
  },
});

const merge = path({
  pattern: "entity/merge",
  summary: "Make one entity of several",
  write: {
    summary: "Move aliases, groups and policies into one entity; tokens of the others go on as its own",
    input: {
      to_entity_id: text("Id of the entity that stays").default(""),
      from_entity_ids: list("Ids of the entities that become part of it").default([]),
      conflicting_alias_ids_to_keep: list("Where two have an alias on one mount: ids of those to keep").default([]),
      force: flag("Where two have an alias on one mount: keep what the entity that stays has").default(false),
    },
    handler: (request, { services, now }) => services.entityMerge.run(request, now),
  },
  examples: [{ operation: "write", request: { to_entity_id: "8d6a45e5", from_entity_ids: ["de3d1f0e"] } }],
});

async function briefEntity(id: string, services: IdentityServices) {
  const entity = await services.entities.get(id);
  if (!entity) return undefined;
  const aliases = await Promise.all(entity.aliases.map((alias) => briefAlias(alias, services)));
  return aliases.length === 0 ? { name: entity.name } : { name: entity.name, aliases };
}

export const entityPaths = [entities, byId, byName, ids, names, batchDelete, merge];
