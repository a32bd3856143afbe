/** What one request reads and writes: reads are remembered, writes held back, and one commit checks and applies all. */

import type { PageRequest } from "../../api/list-fields.ts";
import type { AtHand } from "../../lib/at-hand.ts";
import type { Barrier } from "../seal/barrier.ts";
import type { CachedRecord, RecordCache } from "./cache.ts";
import type { QuickStorage } from "./read-at-hand.ts";
import { KeyTooLong, type Store, type Version } from "./store.ts";

const noPuts = new Map<string, Uint8Array>();
const noDeletes = new Set<string>();

export class Transaction implements QuickStorage {
  readonly #store: Store;
  readonly #barrier: Barrier;
  readonly #cache: RecordCache;
  /** Expectations beyond what was read. */
  #fences: Map<string, Version | undefined> | undefined;
  /** What was read first: a second look within one attempt sees the same, whatever others do meanwhile. */
  readonly #seen = new Map<string, CachedRecord>();
  /** Most requests write nothing: these are made by the first that does. */
  #puts: Map<string, Uint8Array> = noPuts;
  #deletes: Set<string> = noDeletes;
  #isClosed = false;

  constructor(store: Store, barrier: Barrier, cache: RecordCache) {
    this.#store = store;
    this.#barrier = barrier;
    this.#cache = cache;
  }

  // These two are asked many times for each request, mostly for what is cached: they await nothing that is there.
  get(key: string): Promise<Uint8Array | undefined> {
    const pending = this.#puts.get(key);
    if (pending || this.#deletes.has(key)) return Promise.resolve(pending);
    const record = this.#record(key);
    return record instanceof Promise ? record.then(({ value }) => value) : Promise.resolve(record.value);
  }

  async read<T>(key: string, parse: (bytes: Uint8Array) => T): Promise<T | undefined> {
    return this.readNow(key, parse);
  }

  /** As `read`, without a promise where the record is at hand. */
  readNow<T>(key: string, parse: (bytes: Uint8Array) => T): AtHand<T | undefined> {
    const pending = this.#puts.get(key);
    if (pending) return parse(pending);
    if (this.#deletes.has(key)) return undefined;
    const record = this.#record(key);
    return record instanceof Promise ? record.then((found) => found.parsed(parse)) : record.parsed(parse);
  }

  put(key: string, value: Uint8Array): void {
    this.#requireOpen();
    const bytes = Buffer.byteLength(key);
    if (bytes > this.#store.maxKeyBytes) throw new KeyTooLong(bytes, this.#store.maxKeyBytes);
    this.#deletes.delete(key);
    if (this.#puts === noPuts) this.#puts = new Map();
    this.#puts.set(key, value);
  }

  delete(key: string): void {
    this.#requireOpen();
    this.#puts.delete(key);
    if (this.#deletes === noDeletes) this.#deletes = new Set();
    this.#deletes.add(key);
  }

  async list(prefix: string, { after = "", limit }: PageRequest = {}): Promise<string[]> {
    const added = this.#addedBelow(prefix, after);
    if (this.#deletes.size === 0 && added.length === 0) return this.#store.list(prefix, { after, limit });
    const names = new Set<string>(added);
    const wanted = limit ?? Number.POSITIVE_INFINITY;
    for (let from = after; ; ) {
      const page = await this.#store.list(prefix, { after: from, limit });
      for (const name of page) if (await this.#remains(prefix, name)) names.add(name);
      const last = page.at(-1);
      if (last === undefined || page.length < wanted || names.size >= wanted + added.length) break;
      from = last;
    }
    return [...names].sort(byBytes).slice(0, limit);
  }

  /** A further expectation, such as the fence of a leader. */
  expect(key: string, version: Version | undefined): void {
    this.#fences ??= new Map();
    this.#fences.set(key, version);
  }

  get isFinished(): boolean {
    return this.#isClosed;
  }

  get isReadOnly(): boolean {
    return this.#puts.size === 0 && this.#deletes.size === 0;
  }

  /** Throws `Conflict`, having changed nothing, when something that was read has changed since. */
  async commit(): Promise<void> {
    if (this.isReadOnly) return;
    const puts = new Map<string, Uint8Array>();
    for (const [key, value] of this.#puts) puts.set(key, this.#barrier.encrypt(key, value));
    const expect = new Map<string, Version | undefined>(this.#fences);
    for (const [key, { version }] of this.#seen) expect.set(key, version);
    await this.#store.commit({ expect, puts, deletes: this.#deletes });
  }

  /** Commits what there is, and takes no more writes: what follows reaches outside and must not be run again. */
  async finish(): Promise<void> {
    await this.commit();
    this.#puts = noPuts;
    this.#deletes = noDeletes;
    this.#isClosed = true;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error("an operation with effects writes through context.transaction only");
  }

  /** Something that was read and has changed since: what was concluded from it may be wrong. */
  async staleKey(): Promise<string | undefined> {
    if (this.#isClosed) return undefined;
    await this.#cache.check();
    for (const [key, { version }] of this.#seen) {
      if ((await this.#cache.get(key)).version !== version) return key;
    }
    return undefined;
  }

  #record(key: string): CachedRecord | Promise<CachedRecord> {
    const seen = this.#seen.get(key);
    if (seen) return seen;
    const cached = this.#cache.get(key);
    return cached instanceof Promise ? cached.then((record) => this.#see(key, record)) : this.#see(key, cached);
  }

  /** Two readings may have been under way at once: the first to arrive counts for both. */
  #see(key: string, record: CachedRecord): CachedRecord {
    const first = this.#seen.get(key);
    if (first) return first;
    this.#seen.set(key, record);
    return record;
  }

  #addedBelow(prefix: string, after: string): string[] {
    const names = new Set<string>();
    for (const key of this.#puts.keys()) {
      if (!key.startsWith(prefix)) continue;
      const rest = key.slice(prefix.length);
      const slash = rest.indexOf("/");
      const name = slash < 0 ? rest : rest.slice(0, slash + 1);
      if (byBytes(name, after) > 0) names.add(name);
    }
    return [...names];
  }

  async #remains(prefix: string, name: string): Promise<boolean> {
    const key = prefix + name;
    if (!name.endsWith("/")) return !this.#deletes.has(key);
    for (const deleted of this.#deletes) {
      if (deleted.startsWith(key)) return (await this.list(key, { limit: 1 })).length > 0;
    }
    return true;
  }
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
