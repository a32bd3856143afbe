/** Namespaces below one, in the order of their names: one level of them, or all levels. */
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { type Namespace, reference } from "./namespace.ts";
import { byIdAtHand, childNames, childNamespace, namespaceIds, type StoredNamespace } from "./stored-namespace.ts";

const pageSize = 200;

export async function childNamespaces(parent: Namespace, whole: Storage, { after, limit }: PageRequest = {}) {
  const names = await childNames(parent, whole, { after: after?.replace(/\/$/, ""), limit });
  const found = await Promise.all(names.map((name) => childNamespace(parent, name, whole)));
  return found.filter((child) => child !== undefined);
}

/** Each before those within it. `after` is a path as seen from `parent`, and need not exist. */
export async function* allBelow(
  parent: Namespace,
  whole: Storage,
  after: readonly string[] = [],
): AsyncGenerator<StoredNamespace> {
  const [first, ...deeper] = after;
  if (first !== undefined) {
    const begun = await childNamespace(parent, first, whole);
    if (begun) yield* allBelow(begun, whole, deeper);
  }
  for (let last = first; ; ) {
    const page = await childNamespaces(parent, whole, { after: last, limit: pageSize });
    for (const child of page) {
      yield child;
      if (child.children > 0) yield* allBelow(child, whole);
    }
    if (page.length < pageSize) return;
    last = page.at(-1)?.name;
  }
}

/**
 * All namespaces of the server but the root, some at a time, for work that has to visit each. What is to be read of each is
 * read in the transaction that finds it: one for each namespace would cost a server with many of them more than the work.
 */
export async function* namespacePages<Seen>(
  transaction: <T>(work: (whole: Storage) => Promise<T>) => Promise<T>,
  look: (namespace: Namespace, whole: Storage) => Promise<Seen>,
): AsyncGenerator<readonly Seen[]> {
  for (let after: string | undefined; ; ) {
    const { ids, seen } = await transaction(async (whole) => {
      const ids = await namespaceIds(whole, { after, limit: pageSize });
      const seen: Seen[] = [];
      for (const id of ids) {
        const namespace = await byIdAtHand(id, whole);
        if (namespace && !namespace.tainted) seen.push(await look(reference(namespace), whole));
      }
      return { ids, seen };
    });
    if (seen.length > 0) yield seen;
    if (ids.length < pageSize) return;
    after = ids.at(-1);
  }
}
