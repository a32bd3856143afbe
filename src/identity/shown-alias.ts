/** An alias of an entity or a group, as answers show it. */
import { dictionary, flag, items, text } from "../api/fields.ts";
import type { Alias } from "./alias.ts";
import type { IdentityServices } from "./services.ts";

/** What lists tell of each alias. */
export const listedAliasFields = {
  canonical_id: text("Id of the entity or group that it belongs to"),
  name: text("What the mount calls it"),
  mount_accessor: text("Accessor of the mount"),
  mount_path: text("Path of the mount; empty when the mount is gone"),
  mount_type: text("Type of the mount; empty when the mount is gone"),
  local: flag("Whether the mount is a local one"),
  metadata: dictionary("What the auth method told at the last login"),
  custom_metadata: dictionary("What was noted by hand"),
};

export const aliasFields = {
  id: text("Id of the alias"),
  ...listedAliasFields,
  namespace_id: text("Id of the namespace"),
  merged_from_canonical_ids: items("Entities that it belonged to before they were merged into this one"),
  creation_time: text("When it was made, in RFC 3339"),
  last_update_time: text("When it was changed last, in RFC 3339"),
};

export async function listedAlias(canonical_id: string, alias: Alias, { mounts }: IdentityServices) {
  const mount = await mounts.find(alias.mount_accessor);
  return {
    canonical_id,
    name: alias.name,
    mount_accessor: alias.mount_accessor,
    mount_path: mount?.path ?? "",
    mount_type: mount?.type ?? "",
    local: alias.local,
    metadata: alias.metadata,
    custom_metadata: alias.custom_metadata,
  };
}

export async function shownAlias(canonical_id: string, alias: Alias, services: IdentityServices) {
  return {
    id: alias.id,
    ...(await listedAlias(canonical_id, alias, services)),
    namespace_id: services.host.namespaceId,
    merged_from_canonical_ids: alias.merged_from_canonical_ids,
    creation_time: alias.creation_time,
    last_update_time: alias.last_update_time,
  };
}

/** What lists of entities and groups tell of an alias. */
export const briefAliasFields = {
  id: aliasFields.id,
  name: aliasFields.name,
  mount_accessor: aliasFields.mount_accessor,
  mount_path: aliasFields.mount_path,
  mount_type: aliasFields.mount_type,
};

export async function briefAlias({ id, name, mount_accessor }: Alias, { mounts }: IdentityServices) {
  const mount = await mounts.find(mount_accessor);
  return { id, name, mount_accessor, mount_path: mount?.path ?? "", mount_type: mount?.type ?? "" };
}
