/** The records of a namespace, for who is about to write there: a namespace that is being deleted takes nothing any more. */
import type { Storage } from "../../api/engine.ts";
import { isRootNamespace, type Namespace } from "./namespace.ts";
import { storageOf } from "./namespace-storage.ts";
import { namespaceNotFound } from "./resolve.ts";
import { namespaceById } from "./stored-namespace.ts";

/** What is read here is expected at the commit, so that a deletion in between makes it fail. */
export async function entered(namespace: Namespace, whole: Storage): Promise<Storage> {
  if (isRootNamespace(namespace)) return whole;
  const stored = await namespaceById(namespace.id, whole);
  if (!stored || stored.tainted) throw namespaceNotFound();
  return storageOf(namespace, whole);
}
