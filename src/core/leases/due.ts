/**
 * What ends when, in the order of time: `sys/expire/<milliseconds>/<name>`. Whoever leads reads it from the front, so that a
 * start with a million leases costs what a start with none does.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { isRootNamespace, type Namespace } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";

const prefix = "sys/expire/";
/** Enough for the year 5138, and fixed so that byte order is time order. */
const digits = 14;

export interface Due {
  readonly at: number;
  readonly name: string;
  readonly what: DueThing;
}

/** A lease by its id, or a token by its key. */
export type DueThing = ({ readonly lease: string } | { readonly token: string }) & {
  /** Where it is, if not in the root namespace. */
  readonly namespace?: Namespace | undefined;
};

const folder = (at: number) => `${prefix}${String(Math.max(0, Math.floor(at))).padStart(digits, "0")}/`;

/** One order for all namespaces, so that its front is all that has to be looked at. */
export function putDue(at: number, name: string, what: DueThing, storage: Storage): void {
  const { namespace, whole } = scopeOf(storage);
  whole.put(folder(at) + name, recordBytes(isRootNamespace(namespace) ? what : { ...what, namespace }));
}

export function deleteDue(at: number, name: string, storage: Storage): void {
  scopeOf(storage).whole.delete(folder(at) + name);
}

/** The first things that are due by `now`, at most about `most`. */
export async function dueBy(now: number, most: number, whole: Storage): Promise<Due[]> {
  const due: Due[] = [];
  for (const time of await whole.list(prefix, { limit: most })) {
    const at = Number(time.slice(0, -1));
    if (at > now || due.length >= most) break;
    for (const name of await whole.list(prefix + time, { limit: most - due.length })) {
      const what = (await whole.read(prefix + time + name, parseRecord)) as DueThing | undefined;
      if (what) due.push({ at, name, what });
    }
  }
  return due;
}
