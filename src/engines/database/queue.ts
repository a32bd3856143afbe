/** Credentials to be rotated, in the order of time: `rotation/<milliseconds>/<name>`, so that whoever leads reads from the front. */
import type { Storage } from "../../api/engine.ts";

const prefix = "rotation/";
/** Enough for the year 5138, and fixed so that byte order is time order. */
const digits = 14;
const nothing = new Uint8Array([123, 125]);

export type Rotated = { readonly kind: "static" | "root"; readonly name: string };

export interface DueRotation extends Rotated {
  readonly at: number;
}

const key = (at: number, { kind, name }: Rotated) =>
  `${prefix}${String(Math.max(0, Math.floor(at))).padStart(digits, "0")}/${kind}:${name}`;

/** From one time to another; 0 stands for no time at all. */
export function moveRotation(from: number, to: number, what: Rotated, storage: Storage): void {
  if (from > 0 && from !== to) storage.delete(key(from, what));
  if (to > 0) storage.put(key(to, what), nothing);
}

/** The first rotations that are due by `now`, at most about `most`. */
export async function dueRotations(now: number, most: number, storage: Storage): Promise<DueRotation[]> {
  const due: DueRotation[] = [];
  for (const time of await storage.list(prefix, { limit: most })) {
    const at = Number(time.slice(0, -1));
    if (at > now || due.length >= most) break;
    for (const entry of await storage.list(prefix + time, { limit: most - due.length })) {
      const colon = entry.indexOf(":");
      due.push({ at, kind: entry.slice(0, colon) === "root" ? "root" : "static", name: entry.slice(colon + 1) });
    }
  }
  return due;
}
