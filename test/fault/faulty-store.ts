/** Fault injection: a store that works like the one behind it, until the call that is chosen to fail. */
import {
  type Batch,
  Conflict,
  type Leadership,
  type Page,
  type Point,
  type Store,
  StoreUnavailable,
} from "../../src/core/storage/store.ts";

/** What becomes of the chosen call; the last two differ from the first only for commits. */
export const faults = ["fails", "loses to another writer", "happens, but the answer is lost"] as const;
export type Fault = (typeof faults)[number];

export class FaultyStore implements Store {
  readonly type: string;
  readonly maxKeyBytes: number;
  readonly #store: Store;
  #left = 0;
  #fault: Fault | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.type = store.type;
    this.maxKeyBytes = store.maxKeyBytes;
  }

  /** Counts from the next call, which is number 1. */
  failAt(call: number, fault: Fault): void {
    this.#left = call;
    this.#fault = fault;
  }

  /** Tells whether the fault has not happened yet, and calls it off. */
  repair(): boolean {
    const isPending = this.#fault !== undefined;
    this.#fault = undefined;
    return isPending;
  }

  async get(key: string) {
    this.#refuse();
    return this.#store.get(key);
  }

  async list(prefix: string, page?: Page) {
    this.#refuse();
    return this.#store.list(prefix, page);
  }

  async changes(since: Point | undefined) {
    this.#refuse();
    return this.#store.changes(since);
  }

  async commit(batch: Batch) {
    const fault = this.#next();
    if (fault === "fails") throw new StoreUnavailable("injected: the disk is full");
    if (fault === "loses to another writer") throw new Conflict([...batch.expect.keys()][0] ?? "");
    await this.#store.commit(batch);
    if (fault !== undefined) throw new StoreUnavailable("injected: the answer is lost", { isOutcomeUnknown: true });
  }

  lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal) {
    return this.#store.lead(name, work, until);
  }

  close() {
    return this.#store.close();
  }

  #refuse(): void {
    if (this.#next() !== undefined) throw new StoreUnavailable("injected: the disk cannot be read");
  }

  #next(): Fault | undefined {
    if (this.#fault === undefined || --this.#left > 0) return undefined;
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }
}
