/** Counts what happened within the last hour, for limits: one mark for each time, in the order of time, and nothing to fight over. */
import { hash } from "node:crypto";
import type { Random, Storage } from "../../../api/engine.ts";
import { newId, timeOf, timePrefix } from "./id.ts";
import { Problem } from "./problem.ts";

export const windowMs = 3_600_000;
const folder = "acme/recent/";
const mark = new Uint8Array(0);

export class Recent {
  readonly #storage: Storage;
  readonly #random: Random;

  constructor(storage: Storage, random: Random) {
    this.#storage = storage;
    this.#random = random;
  }

  note(kind: string, subject: string, now: Date): void {
    this.#storage.put(placeOf(kind, subject) + newId(now, this.#random), mark);
  }

  /** Refuses when there were as many as the limit allows; 0 is no limit. */
  async require(kind: string, subject: string, limit: number, now: Date): Promise<void> {
    if (limit === 0) return;
    const after = timePrefix(now.getTime() - windowMs);
    requireFewer(await this.#storage.list(placeOf(kind, subject), { after, limit }), kind, limit, now);
  }

  /** Removes marks that are too old to count, up to a number; tells how many there were. */
  async forgetOld(now: Date, limit: number): Promise<number> {
    const before = timePrefix(now.getTime() - windowMs);
    let removed = 0;
    for (const kind of await this.#storage.list(folder)) {
      for (const subject of await this.#storage.list(folder + kind)) {
        const place = folder + kind + subject;
        const old = (await this.#storage.list(place, { limit })).filter((name) => name < before);
        for (const name of old) this.#storage.delete(place + name);
        removed += old.length;
        if (removed >= limit) return removed;
      }
    }
    return removed;
  }
}

/** `names` are ids of what happened within the window, oldest first. */
export function requireFewer(names: readonly string[], kind: string, limit: number, now: Date): void {
  if (limit === 0 || names.length < limit) return;
  const seconds = Math.max(1, Math.ceil((timeOf(names[0]!) + windowMs - now.getTime()) / 1000));
  throw new Problem("rateLimited", `too many ${kind} within an hour: ${limit} are allowed`, {
    headers: { "retry-after": String(seconds) },
  });
}

const placeOf = (kind: string, subject: string): string =>
  `${folder}${kind.replaceAll(" ", "-")}/${hash("sha256", subject, "base64url")}/`;
