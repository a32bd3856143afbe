/** The row that `sys/` would have in the mount table, if it were in it. */
import type { MountEntry } from "../mounts/mount-entry.ts";
import { isRootNamespace, type Namespace } from "../namespaces/namespace.ts";

export const systemEntry: MountEntry = {
  path: "sys/",
  type: "system",
  uuid: "00000000-0000-4000-8000-000000000001",
  accessor: "system_00000001",
  description: "system endpoints used for control, policy and debugging",
  local: false,
  seal_wrap: true,
  external_entropy_access: false,
  options: null,
  config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false },
};

/** Each namespace has its own, of another name. */
export const systemEntryOf = (namespace: Namespace): MountEntry =>
  isRootNamespace(namespace)
    ? systemEntry
    : { ...systemEntry, uuid: namespace.uuid, accessor: `ns_system_${namespace.uuid.slice(0, 8)}` };
