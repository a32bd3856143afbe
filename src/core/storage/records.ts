/** The store as the rest of the core sees it: decrypted, cached, and changed only in transactions. */
import { ApiError } from "../../api/errors.ts";
import type { Barrier } from "../seal/barrier.ts";
import { RecordCache } from "./cache.ts";
import { Conflict, type Store } from "./store.ts";
import { Transaction } from "./transaction.ts";

const mostTries = 100;

export class Records {
  readonly #store: Store;
  readonly #barrier: Barrier;
  readonly #cache: RecordCache;
  readonly #turns = new Map<string, Promise<void>>();

  constructor(store: Store, barrier: Barrier, reloadKeyring: () => Promise<void>, cacheBytes?: number) {
    this.#store = store;
    this.#barrier = barrier;
    this.#cache = new RecordCache(store, barrier, reloadKeyring, cacheBytes);
  }

  /** Runs `work` and commits what it wrote; runs it again when another writer was faster. */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#attempt(work);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      return this.#retry(work, error);
    }
  }

  wipe(): void {
    this.#cache.wipe();
  }

  async #attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    await this.#cache.check();
    const transaction = new Transaction(this.#store, this.#barrier, this.#cache);
    const result = await this.#concluded(transaction, work);
    await transaction.commit();
    return result;
  }

  /** A refusal that rests on what is no longer true is no refusal: the work is done again, as after a conflict. */
  async #concluded<T>(transaction: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await work(transaction);
    } catch (error) {
      if (error instanceof Conflict) throw error;
      const stale = await transaction.staleKey();
      throw stale === undefined ? error : new Conflict(stale);
    }
  }

  /** Losers of the same race take turns in this process, so that each round has a winner and not one for all. */
  async #retry<T>(work: (transaction: Transaction) => Promise<T>, first: Conflict): Promise<T> {
    let { key } = first;
    for (let tries = 1; tries < mostTries; tries++) {
      try {
        return await this.#inTurn(key, () => this.#attempt(work));
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        key = error.key;
      }
    }
    throw new ApiError(503, "too many concurrent changes to the same entry; try again", { cause: first });
  }

  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.set(key, promise);
    await before;
    try {
      return await work();
    } finally {
      resolve();
      if (this.#turns.get(key) === promise) this.#turns.delete(key);
    }
  }
}
