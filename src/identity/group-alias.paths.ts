/** Declares `identity/group-alias` and everything below it. */
import { absent } from "../api/errors.ts";
import { named, text } from "../api/fields.ts";
import { keysField, pageFields, pageOf } from "../api/list-fields.ts";
import { pathsFor } from "../api/path.ts";
import { withInfo } from "./listed.ts";
import type { IdentityServices } from "./services.ts";
import { aliasFields, listedAlias, listedAliasFields, shownAlias } from "./shown-alias.ts";

const path = pathsFor<IdentityServices>();

const settings = {
  name: text("What the auth method calls the group").default(""),
  mount_accessor: text("Accessor of the auth method").default(""),
  canonical_id: text("Id of an external group; a new alias without one gets a new group").default(""),
};

const saved = { id: text("Id of the alias"), canonical_id: text("Id of the group") };

const aliases = path({
  pattern: "group-alias",
  summary: "What auth methods call groups",
  write: {
    summary: "Give a group a name in an auth method, in place of the one it had, or change the one with this id",
    input: { id: text("Id of an alias that exists").default(""), ...settings },
    output: saved,
    handler: (request, { services, now }) => services.groupAliases.write(request, now),
  },
  examples: [{ operation: "write", request: { name: "dev-team", mount_accessor: "auth_jwt_1a2b3c4d" } }],
});

const byId = path({
  pattern: "group-alias/id/:id",
  summary: "One alias of a group",
  params: { id: text("Id of the alias") },
  read: {
    summary: "Read an alias",
    output: aliasFields,
    async handler({ id }, { services }) {
      const found = await services.groups.withAlias(id);
      if (!found) throw absent();
      return shownAlias(found.group.id, found.alias, services);
    },
  },
  write: {
    summary: "Rename an alias, or move it to another group; what is not given stays",
    input: settings,
    output: saved,
    handler: (request, { services, now }) => services.groupAliases.write(request, now),
  },
  delete: {
    summary: "Delete an alias; members of the group stay until they log in again",
    handler: ({ id }, { services }) => services.groupAliases.delete(id),
  },
});

const ids = path({
  pattern: "group-alias/id",
  summary: "Ids of aliases of groups",
  list: {
    summary: "List aliases by id, with what there is to know of each",
    input: pageFields,
    output: { ...keysField, key_info: named("What there is to know of each", listedAliasFields) },
    handler: async (page, { services }) =>
      withInfo(await services.groups.aliasIds(pageOf(page)), async (id) => {
        const found = await services.groups.withAlias(id);
        return found && listedAlias(found.group.id, found.alias, services);
      }),
  },
});

export const groupAliasPaths = [aliases, byId, ids];
