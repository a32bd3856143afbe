/** The stores that the suite is run on, and words for what it does with them. */
import type { LeadTimings } from "./lead.ts";
import { type Batch, Conflict, type Point, type Store, type Version } from "./store.ts";

export interface StoreOptions {
  readonly history?: number;
  readonly lead?: Partial<LeadTimings>;
}

export interface StoreCase {
  readonly name: string;
  /** Why it cannot be tried on this machine. */
  readonly missing?: string | undefined;
  /** New and empty data. */
  prepare(): Promise<StoreData>;
}

export interface StoreData {
  /** Opens the data; once more, as another process would, when the store can be shared. */
  open(options?: StoreOptions): Promise<Store>;
  readonly isShared: boolean;
  destroy(): Promise<void>;
}

export function batch(parts: {
  expect?: Record<string, Version | undefined>;
  puts?: Record<string, string>;
  deletes?: string[];
}): Batch {
  return {
    expect: new Map(Object.entries(parts.expect ?? {})),
    puts: new Map(Object.entries(parts.puts ?? {}).map(([key, value]) => [key, Buffer.from(value)])),
    deletes: new Set(parts.deletes),
  };
}

export async function text(store: Store, key: string): Promise<string | undefined> {
  const entry = await store.get(key);
  return entry && Buffer.from(entry.value).toString();
}

/** Adds one so many times, with other puts, reading and trying again until nobody else was faster. */
export async function incrementBy(
  store: Store,
  key: string,
  times: number,
  others: Record<string, string> = {},
): Promise<void> {
  for (let done = 0; done < times; ) {
    const entry = await store.get(key);
    const next = String(Number(entry ? Buffer.from(entry.value) : 0) + 1);
    try {
      await store.commit(batch({ expect: { [key]: entry?.version }, puts: { ...others, [key]: next } }));
      done++;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

/** A cache that believes in `changes`. */
export class Follower {
  readonly #store: Store;
  readonly #cache = new Map<string, string | undefined>();
  #at: Point | undefined;
  #checks = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async check(): Promise<void> {
    const { at, keys } = await this.#store.changes(this.#at);
    this.#at = at;
    this.#checks++;
    if (keys === undefined) this.#cache.clear();
    else for (const key of keys) this.#cache.delete(key);
  }

  async read(key: string): Promise<string | undefined> {
    if (this.#cache.has(key)) return this.#cache.get(key);
    const checks = this.#checks;
    const value = await text(this.#store, key);
    // What a check found out while this was read may concern it: then it is good for this reader only.
    if (checks === this.#checks) this.#cache.set(key, value);
    return value;
  }
}
