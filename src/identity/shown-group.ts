/** A group, as answers show it. */
import { dictionary, integer, items, object, text } from "../api/fields.ts";
import type { Group } from "./group.ts";
import { membersOf } from "./members.ts";
import type { IdentityServices } from "./services.ts";
import { shownAlias } from "./shown-alias.ts";

export const groupFields = {
  id: text("Id of the group"),
  name: text("Name of the group"),
  namespace_id: text("Id of the namespace"),
  type: text("internal, or external where an auth method tells the members"),
  metadata: dictionary("What was noted on the group"),
  policies: items("Policies that its members have"),
  member_entity_ids: items("Entities in the group"),
  member_group_ids: items("Groups in the group"),
  parent_group_ids: items("Groups that the group is in"),
  alias: object("What an auth method calls an external group; empty when it has no such name"),
  creation_time: text("When it was made, in RFC 3339"),
  last_update_time: text("When it was changed last, in RFC 3339"),
  modify_index: integer("Grows with each change"),
};

export async function shownGroup(group: Group, services: IdentityServices) {
  return {
    id: group.id,
    name: group.name,
    namespace_id: services.host.namespaceId,
    type: group.type,
    metadata: group.metadata,
    policies: group.policies,
    member_entity_ids: await membersOf(group.id, services.storage),
    member_group_ids: group.member_group_ids,
    parent_group_ids: group.parent_group_ids,
    alias: group.alias ? await shownAlias(group.id, group.alias, services) : {},
    creation_time: group.creation_time,
    last_update_time: group.last_update_time,
    modify_index: group.modify_index,
  };
}
