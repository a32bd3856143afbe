/**
 * What ends when, in the order of time: `sys/expire/<milliseconds>/<name>`. Whoever leads reads it from the front, so that a
 * start with a million leases costs what a start with none does.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";

const prefix = "sys/expire/";
/** Enough for the year 5138, and fixed so that byte order is time order. */
const digits = 14;

export interface Due {
  readonly at: number;
  readonly name: string;
  readonly what: DueThing;
}

/** A lease by its id, or a token by its key. */
export type DueThing = { readonly lease: string } | { readonly token: string };

const folder = (at: number) => `${prefix}${String(Math.max(0, Math.floor(at))).padStart(digits, "0")}/`;

export function putDue(at: number, name: string, what: DueThing, storage: Storage): void {
  storage.put(folder(at) + name, recordBytes(what));
}

export function deleteDue(at: number, name: string, storage: Storage): void {
  storage.delete(folder(at) + name);
}

/** The first things that are due by `now`, at most about `most`. */
export async function dueBy(now: number, most: number, storage: Storage): Promise<Due[]> {
  const due: Due[] = [];
  for (const time of await storage.list(prefix, { limit: most })) {
    const at = Number(time.slice(0, -1));
    if (at > now || due.length >= most) break;
    for (const name of await storage.list(prefix + time, { limit: most - due.length })) {
      const what = (await storage.read(prefix + time + name, parseRecord)) as DueThing | undefined;
      if (what) due.push({ at, name, what });
    }
  }
  return due;
}
