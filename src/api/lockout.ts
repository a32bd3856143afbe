/** Locks users of an auth method out after too many failed logins. Kept in the mount's storage: locked here, locked everywhere. */
import { hash } from "node:crypto";
import { Collection } from "./collection.ts";
import type { Storage } from "./engine.ts";

export interface LockoutRules {
  /** Failures that lock a user out; 0 for never. */
  readonly threshold: number;
  readonly durationSeconds: number;
  /** Time without a failure after which counting begins anew. */
  readonly counterResetSeconds: number;
  readonly disabled: boolean;
}

export const standardLockout: LockoutRules = {
  threshold: 5,
  durationSeconds: 900,
  counterResetSeconds: 900,
  disabled: false,
};

interface Failures {
  readonly alias: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly last: number;
  /** Whether there is such a user; names that somebody tries are counted alike, so that nobody learns which exist. */
  readonly known: boolean;
}

/** Neighbors that each failure looks at, to drop those that are over. */
const sweptPerFailure = 2;
const perPage = 100;

export class Lockouts {
  readonly #failures: Collection<Failures>;
  readonly #rules: LockoutRules;

  constructor(storage: Storage, rules: LockoutRules = standardLockout) {
    this.#failures = new Collection(storage, "lockout/");
    this.#rules = rules;
  }

  async isLocked(alias: string, now: Date): Promise<boolean> {
    if (this.#isOff) return false;
    const failures = await this.#failures.get(keyOf(alias));
    return failures !== undefined && this.#locks(failures, now);
  }

  async recordFailure(alias: string, now: Date, { known = true } = {}): Promise<void> {
    if (this.#isOff) return;
    const key = keyOf(alias);
    const before = await this.#failures.get(key);
    if (before && this.#locks(before, now)) return;
    const count = before && !this.#isOver(before, now) ? before.count + 1 : 1;
    this.#failures.put(key, { alias, count, last: now.getTime(), known });
    await this.#sweep(key, now);
  }

  /** Forgets failures; writes nothing where there were none. */
  async clear(alias: string): Promise<void> {
    const key = keyOf(alias);
    if (await this.#failures.has(key)) this.#failures.delete(key);
  }

  /** Everybody who is locked out now. */
  async locked(now: Date): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const keys = await this.#failures.list({ after, limit: perPage });
      for (const key of keys) {
        const failures = await this.#failures.get(key);
        if (failures?.known && this.#locks(failures, now)) found.push(failures.alias);
      }
      after = keys.at(-1);
      if (keys.length < perPage) return found.sort();
    }
  }

  get #isOff(): boolean {
    return this.#rules.disabled || this.#rules.threshold <= 0;
  }

  #locks({ count, last }: Failures, now: Date): boolean {
    return count >= this.#rules.threshold && now.getTime() < last + this.#rules.durationSeconds * 1000;
  }

  /** A lock that was sat out begins anew, as does a count that nothing was added to for long. */
  #isOver(failures: Failures, now: Date): boolean {
    if (this.#locks(failures, now)) return false;
    const { count, last } = failures;
    return count >= this.#rules.threshold || now.getTime() >= last + this.#rules.counterResetSeconds * 1000;
  }

  /** Keys are hashes, so the neighbors of one failure are anybody's: guessing at names cannot fill the store. */
  async #sweep(key: string, now: Date): Promise<void> {
    for (const neighbor of await this.#failures.list({ after: key, limit: sweptPerFailure })) {
      const failures = await this.#failures.get(neighbor);
      if (failures && this.#isOver(failures, now)) this.#failures.delete(neighbor);
    }
  }
}

const keyOf = (alias: string): string => hash("sha256", alias, "hex");
