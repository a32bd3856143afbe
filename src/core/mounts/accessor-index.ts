/** In which namespace a mount is, by its accessor: for those who name a mount of another namespace by mistake. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { isRootNamespace, rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import type { MountEntry } from "./mount-entry.ts";
import { readMountTable } from "./mount-table.ts";

const prefix = "core/accessors/";

/** Mounts of the root are found in its table, and need no entry. */
export function noteAccessor({ accessor }: MountEntry, storage: Storage): void {
  const { namespace, whole } = scopeOf(storage);
  if (!isRootNamespace(namespace)) whole.put(prefix + accessor, recordBytes({ namespace: namespace.id }));
}

export function forgetAccessor({ accessor }: MountEntry, storage: Storage): void {
  const { namespace, whole } = scopeOf(storage);
  if (!isRootNamespace(namespace)) whole.delete(prefix + accessor);
}

export async function forgetAccessors(storage: Storage): Promise<void> {
  for (const entry of (await readMountTable(storage)).entries) forgetAccessor(entry, storage);
}

/** A mount outside of the storage's own namespace: all that may be told of it is where it is. */
export async function mountElsewhere(accessor: string, storage: Storage): Promise<{ namespaceId: string } | undefined> {
  if (!/^\w{1,128}$/.test(accessor)) return undefined;
  const { whole } = scopeOf(storage);
  const isRoots = (await readMountTable(whole)).entries.some((entry) => entry.accessor === accessor);
  if (isRoots) return { namespaceId: rootNamespace.id };
  const found = (await whole.read(prefix + accessor, parseRecord)) as { readonly namespace: string } | undefined;
  return found && { namespaceId: found.namespace };
}
