/** An entity, as answers show it. */
import { dictionary, flag, groups, items, text } from "../api/fields.ts";
import type { Entity } from "./entity.ts";
import { membershipOf } from "./membership.ts";
import type { IdentityServices } from "./services.ts";
import { aliasFields, shownAlias } from "./shown-alias.ts";

export const entityFields = {
  id: text("Id of the entity"),
  name: text("Name of the entity"),
  namespace_id: text("Id of the namespace"),
  metadata: dictionary("What was noted on the entity"),
  policies: items("Policies that its tokens have besides their own"),
  disabled: flag("Whether its tokens are refused"),
  aliases: groups("What mounts call it", aliasFields),
  direct_group_ids: items("Groups that it is a member of"),
  inherited_group_ids: items("Groups that those groups are members of, and so on"),
  group_ids: items("All groups: the direct ones, then the inherited ones"),
  merged_entity_ids: items("Entities that were merged into it"),
  creation_time: text("When it was made, in RFC 3339"),
  last_update_time: text("When it was changed last, in RFC 3339"),
};

export async function shownEntity(entity: Entity, services: IdentityServices) {
  const { direct, inherited } = await membershipOf(entity, services.groups);
  const directIds = direct.map(({ id }) => id);
  const inheritedIds = inherited.map(({ id }) => id);
  return {
    id: entity.id,
    name: entity.name,
    namespace_id: services.host.namespaceId,
    metadata: entity.metadata,
    policies: entity.policies,
    disabled: entity.disabled,
    aliases: await Promise.all(entity.aliases.map((alias) => shownAlias(entity.id, alias, services))),
    direct_group_ids: directIds,
    inherited_group_ids: inheritedIds,
    group_ids: [...directIds, ...inheritedIds],
    merged_entity_ids: entity.merged_entity_ids,
    creation_time: entity.creation_time,
    last_update_time: entity.last_update_time,
  };
}
