/** How namespaces are stored: one record each by id, and for each parent the names of its children. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { readAtHand } from "../storage/read-at-hand.ts";
import { isRootNamespace, type Namespace, rootNamespace } from "./namespace.ts";

export interface StoredNamespace extends Namespace {
  /** The last segment of its path. */
  readonly name: string;
  /** Id of the namespace that it lies in. */
  readonly parent: string;
  readonly custom_metadata: Readonly<Record<string, string>>;
  /** Being deleted: nobody can enter it any more. */
  readonly tainted: boolean;
  /** SHA-256 of the key that opens it again; empty while it is open. */
  readonly lock: string;
  /** How many lie in it; changed with each of them, so that none can slip into one that is being deleted. */
  readonly children: number;
}

/** All in the records of the root, so that an id is enough to find a namespace. */
const byId = "core/namespaces/id/";
const byParent = "core/namespaces/child/";

const childKey = (parent: string, name: string) => `${byParent}${parent}/${name}`;

/** Asked with every request in a namespace, so it goes no further way than it must. */
export function byIdAtHand(id: string, whole: Storage): AtHand<StoredNamespace | undefined> {
  if (!/^[0-9A-Za-z]{1,16}$/.test(id)) return undefined;
  return readAtHand(whole, byId + id, parseRecord) as AtHand<StoredNamespace | undefined>;
}

export async function namespaceById(id: string, whole: Storage): Promise<StoredNamespace | undefined> {
  return byIdAtHand(id, whole);
}

export function childAtHand(parent: Namespace, name: string, whole: Storage): AtHand<StoredNamespace | undefined> {
  if (name === "" || name.includes("/") || !name.isWellFormed()) return undefined;
  return withValue(readAtHand(whole, childKey(parent.id, name), parseRecord), (found) =>
    found === undefined ? undefined : byIdAtHand((found as { readonly id: string }).id, whole),
  );
}

export async function childNamespace(
  parent: Namespace,
  name: string,
  whole: Storage,
): Promise<StoredNamespace | undefined> {
  return childAtHand(parent, name, whole);
}

/** Names of the namespaces directly below one. */
export const childNames = (parent: Namespace, whole: Storage, page?: PageRequest): Promise<string[]> =>
  whole.list(`${byParent}${parent.id}/`, page);

export function putNamespace(namespace: StoredNamespace, whole: Storage): void {
  whole.put(byId + namespace.id, recordBytes(namespace));
}

export async function addNamespace(namespace: StoredNamespace, parent: Namespace, whole: Storage): Promise<void> {
  whole.put(childKey(parent.id, namespace.name), recordBytes({ id: namespace.id }));
  putNamespace(namespace, whole);
  await countChild(parent, 1, whole);
}

export async function removeNamespace(namespace: StoredNamespace, whole: Storage): Promise<void> {
  whole.delete(childKey(namespace.parent, namespace.name));
  whole.delete(byId + namespace.id);
  await countChild({ ...namespace, id: namespace.parent }, -1, whole);
}

async function countChild(parent: Namespace, by: number, whole: Storage): Promise<void> {
  if (isRootNamespace(parent)) return;
  const stored = await namespaceById(parent.id, whole);
  if (stored) putNamespace({ ...stored, children: stored.children + by }, whole);
}

/** The namespace itself, the one that it lies in, and so on up to the root. */
export async function lineageOf(namespace: Namespace, whole: Storage): Promise<Namespace[]> {
  const lineage: Namespace[] = [];
  for (let at = await namespaceById(namespace.id, whole); at; at = await namespaceById(at.parent, whole))
    lineage.push(at);
  return [...lineage, rootNamespace];
}

/** Ids of all namespaces but the root, in no useful order; for walking them page by page. */
export const namespaceIds = (whole: Storage, page?: PageRequest): Promise<string[]> => whole.list(byId, page);
