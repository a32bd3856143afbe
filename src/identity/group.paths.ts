/** Declares `identity/group` and everything below it. */
import { absent } from "../api/errors.ts";
import { dictionary, group as fieldGroup, integer, list, named, text } from "../api/fields.ts";
import { keysField, pageFields, pageOf } from "../api/list-fields.ts";
import { pathsFor } from "../api/path.ts";
import type { Group } from "./group.ts";
import { withInfo } from "./listed.ts";
import { membersOf } from "./members.ts";
import type { IdentityServices } from "./services.ts";
import { briefAlias, briefAliasFields } from "./shown-alias.ts";
import { groupFields, shownGroup } from "./shown-group.ts";

const path = pathsFor<IdentityServices>();

const settings = {
  type: text("internal, or external where an auth method tells the members; cannot be changed later").default(""),
  metadata: dictionary("Notes: at most 64 pairs, keys of at most 128 bytes, values of at most 512").optional(),
  policies: list("Policies that its members have; never root").optional(),
  member_group_ids: list("Ids of groups in the group; all of them").optional(),
  member_entity_ids: list("Ids of entities in the group; all of them").optional(),
};

const nameInput = { name: text("Name of the group").default("") };

const created = { id: text("Id of the new group"), name: text("Name of the new group") };

const told = (made: Group | undefined) => made && { id: made.id, name: made.name };

const groups = path({
  pattern: "group",
  summary: "Groups of entities and of other groups",
  write: {
    summary: "Make a group, or change the one with this id or name",
    input: { id: text("Id of a group that exists").default(""), ...nameInput, ...settings },
    output: created,
    async handler({ id, ...request }, { services, now }) {
      if (id === "") return told(await services.groupChanges.writeByName(request, now));
      await services.groupChanges.writeById(id, request, now);
      return undefined;
    },
  },
  examples: [{ operation: "write", request: { name: "web", policies: "team-web", member_entity_ids: ["8d6a45e5"] } }],
});

const byId = path({
  pattern: "group/id/:id",
  summary: "One group, by its id",
  params: { id: text("Id of the group") },
  read: {
    summary: "Read a group",
    output: groupFields,
    async handler({ id }, { services }) {
      const found = await services.groups.get(id);
      if (!found) throw absent();
      return shownGroup(found, services);
    },
  },
  write: {
    summary: "Change a group",
    input: { ...nameInput, ...settings },
    handler: ({ id, ...request }, { services, now }) => services.groupChanges.writeById(id, request, now),
  },
  delete: {
    summary: "Delete a group; its members stay",
    async handler({ id }, { services }) {
      const found = await services.groups.get(id);
      if (found) await services.groupChanges.delete(found);
    },
  },
});

const byName = path({
  pattern: "group/name/:name*",
  summary: "One group, by its name; upper and lower case are the same",
  params: { name: text("Name of the group") },
  read: {
    summary: "Read a group",
    output: groupFields,
    async handler({ name }, { services }) {
      const found = await services.groups.named(name);
      if (!found) throw absent();
      return shownGroup(found, services);
    },
  },
  write: {
    summary: "Make or change the group of this name",
    input: settings,
    output: created,
    handler: async (request, { services, now }) => told(await services.groupChanges.writeByName(request, now)),
  },
  delete: {
    summary: "Delete a group; its members stay",
    async handler({ name }, { services }) {
      const found = await services.groups.named(name);
      if (found) await services.groupChanges.delete(found);
    },
  },
});

const ids = path({
  pattern: "group/id",
  summary: "Ids of groups",
  list: {
    summary: "List groups by id, with what there is to know of each",
    input: pageFields,
    output: {
      ...keysField,
      key_info: named("What there is to know of each", {
        name: text("Name of the group"),
        num_member_entities: integer("How many entities are in it"),
        num_parent_groups: integer("How many groups it is in"),
        alias: fieldGroup("What an auth method calls it", briefAliasFields).optional(),
      }),
    },
    handler: async (page, { services }) =>
      withInfo(await services.groups.list(pageOf(page)), (id) => briefGroup(id, services)),
  },
});

const names = path({
  pattern: "group/name",
  summary: "Names of groups",
  list: {
    summary: "List groups by name",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.groups.names(pageOf(page)) }),
  },
});

async function briefGroup(id: string, services: IdentityServices) {
  const found = await services.groups.get(id);
  if (!found) return undefined;
  const brief = {
    name: found.name,
    num_member_entities: (await membersOf(id, services.storage)).length,
    num_parent_groups: found.parent_group_ids.length,
  };
  return found.alias ? { ...brief, alias: await briefAlias(found.alias, services) } : brief;
}

export const groupPaths = [groups, byId, byName, ids, names];
