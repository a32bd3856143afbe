/**
 * The queue of challenges that are to be tried. An entry is named by the time at which whoever is idle may take it; taking it
 * moves that time, so that only when a process dies in the middle does another find it due.
 */
import { Collection } from "../../../api/collection.ts";
import type { Storage } from "../../../api/engine.ts";
import type { ChallengeType } from "./authorization.ts";
import { timePrefix } from "./id.ts";

export interface Validation {
  readonly authorization: string;
  readonly type: ChallengeType;
  /** How many tries have failed. */
  readonly failures: number;
}

/** Longer than a try takes. */
const claimMs = 20_000;

export class Validations {
  readonly #records: Collection<Validation>;

  constructor(storage: Storage) {
    this.#records = new Collection(storage, "acme/validations/");
  }

  /** In the hands of the caller, who tries it at once. */
  add(validation: Validation, now: Date): string {
    return this.#put(validation, now.getTime() + claimMs);
  }

  /** To be tried later. */
  postpone(name: string, validation: Validation, due: number): void {
    this.#records.delete(name);
    this.#put(validation, due);
  }

  /** Undefined if somebody else has it already; of two that take it at once, the store lets one through. */
  async take(name: string, now: Date): Promise<{ name: string; validation: Validation } | undefined> {
    const validation = await this.#records.get(name);
    if (!validation) return undefined;
    this.#records.delete(name);
    return { name: this.#put(validation, now.getTime() + claimMs), validation };
  }

  has(name: string): Promise<boolean> {
    return this.#records.has(name);
  }

  remove(name: string): void {
    this.#records.delete(name);
  }

  async due(now: Date, limit: number): Promise<string[]> {
    const end = timePrefix(now.getTime() + 1);
    return (await this.#records.list({ limit })).filter((name) => name < end);
  }

  #put(validation: Validation, due: number): string {
    const name = `${timePrefix(due)}-${validation.authorization}`;
    this.#records.put(name, validation);
    return name;
  }
}
