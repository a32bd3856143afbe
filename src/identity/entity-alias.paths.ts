/** Declares `identity/entity-alias` and everything below it, with the two older names of the same. */
import { absent } from "../api/errors.ts";
import { deprecated, dictionary, named, text } from "../api/fields.ts";
import { keysField, pageFields, pageOf } from "../api/list-fields.ts";
import { type Context, pathsFor } from "../api/path.ts";
import { withInfo } from "./listed.ts";
import type { Metadata } from "./metadata.ts";
import type { IdentityServices } from "./services.ts";
import { aliasFields, listedAlias, listedAliasFields, shownAlias } from "./shown-alias.ts";

const path = pathsFor<IdentityServices>();

const settings = {
  name: text("What the mount calls the entity: a user name, or the id of a role").default(""),
  canonical_id: text("Id of the entity; a new alias without one gets a new entity").default(""),
  mount_accessor: text("Accessor of the mount").default(""),
  custom_metadata: dictionary("Notes: at most 64 pairs, keys of 1 to 128 bytes, values of 1 to 512").optional(),
  entity_id: deprecated(text("Another name of canonical_id")).default(""),
};

const saved = { id: text("Id of the alias"), canonical_id: text("Id of the entity") };

interface Input {
  readonly id: string;
  readonly name: string;
  readonly canonical_id: string;
  readonly entity_id: string;
  readonly mount_accessor: string;
  readonly custom_metadata?: Metadata | undefined;
}

const write = ({ entity_id, canonical_id, custom_metadata, ...request }: Input, context: Context<IdentityServices>) =>
  context.services.entityAliases.write(
    { ...request, custom_metadata, canonical_id: canonical_id === "" ? entity_id : canonical_id },
    context.now,
  );

const aliases = path({
  pattern: ["entity-alias", "alias", "persona"],
  summary: "What mounts call entities",
  write: {
    summary: "Make an alias, or change the one with this id, or with this mount and name",
    input: { id: text("Id of an alias that exists").default(""), ...settings },
    output: saved,
    handler: write,
  },
  examples: [
    {
      operation: "write",
      request: { name: "ada", canonical_id: "8d6a45e5", mount_accessor: "auth_userpass_1a2b3c4d" },
      response: { id: "f5d3a8c1", canonical_id: "8d6a45e5" },
    },
  ],
});

const byId = path({
  pattern: ["entity-alias/id/:id", "alias/id/:id", "persona/id/:id"],
  summary: "One alias of an entity",
  params: { id: text("Id of the alias") },
  read: {
    summary: "Read an alias",
    output: aliasFields,
    async handler({ id }, { services }) {
      const owner = await services.entities.withAlias(id);
      if (!owner) throw absent();
      return shownAlias(owner.entity.id, owner.alias, services);
    },
  },
  write: {
    summary: "Rename an alias, move it to another entity, or note something on it; what is not given stays",
    input: settings,
    output: saved,
    handler: write,
  },
  delete: { summary: "Delete an alias", handler: ({ id }, { services }) => services.entityAliases.delete(id) },
});

const ids = path({
  pattern: ["entity-alias/id", "alias/id", "persona/id"],
  summary: "Ids of aliases of entities",
  list: {
    summary: "List aliases by id, with what there is to know of each",
    input: pageFields,
    output: { ...keysField, key_info: named("What there is to know of each", listedAliasFields) },
    handler: async (page, { services }) =>
      withInfo(await services.entities.aliasIds(pageOf(page)), async (id) => {
        const owner = await services.entities.withAlias(id);
        return owner && listedAlias(owner.entity.id, owner.alias, services);
      }),
  },
});

export const entityAliasPaths = [aliases, byId, ids];
