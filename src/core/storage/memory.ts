/** A store in the memory of one process: for development servers and for tests. Nothing survives it. */
import { type ByteString, byteString, checkKey, maxKeyBytes, pageOfNames } from "./key.ts";
import { LeadQueue } from "./lead-queue.ts";
import {
  type Batch,
  type Changes,
  Conflict,
  type Entry,
  type Leadership,
  type Page,
  type Point,
  type Store,
  StoreUnavailable,
} from "./store.ts";

export interface MemoryOptions {
  /** So many commits can be asked for with `changes`. */
  readonly history?: number;
}

export class MemoryStore implements Store {
  readonly type = "inmem";
  readonly maxKeyBytes = maxKeyBytes;
  readonly #entries = new Map<string, Entry>();
  /** All keys in byte order. */
  readonly #order: ByteString[] = [];
  /** The keys of each commit; the last one belongs to `#sequence`. */
  #log: (readonly string[])[] = [];
  #sequence = 0;
  readonly #history: number;
  readonly #leads = new LeadQueue(this);
  #isClosed = false;

  constructor(options: MemoryOptions = {}) {
    this.#history = options.history ?? 4096;
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#checkOpen();
    checkKey(key);
    return this.#entries.get(key);
  }

  async list(prefix: string, page?: Page): Promise<string[]> {
    this.#checkOpen();
    return pageOfNames((from) => this.#keysFrom(from), prefix, page);
  }

  async commit({ expect, puts, deletes }: Batch): Promise<void> {
    this.#checkOpen();
    for (const keys of [expect.keys(), puts.keys(), deletes]) for (const key of keys) checkKey(key);
    for (const [key, version] of expect) if (this.#entries.get(key)?.version !== version) throw new Conflict(key);
    if (puts.size === 0 && deletes.size === 0) return;
    const version = ++this.#sequence;
    for (const key of deletes) this.#delete(key);
    for (const [key, value] of puts) this.#put(key, { value: Uint8Array.from(value), version });
    this.#log.push([...deletes, ...puts.keys()]);
    if (this.#log.length >= 2 * this.#history) this.#log = this.#log.slice(-this.#history);
  }

  async changes(since: Point | undefined): Promise<Changes> {
    this.#checkOpen();
    const at = String(this.#sequence);
    if (since === at || since === undefined) return { at, keys: [] };
    const missing = this.#sequence - Number(since);
    if (!(missing > 0 && missing <= this.#log.length)) return { at, keys: undefined };
    return { at, keys: [...new Set(this.#log.slice(-missing).flat())] };
  }

  async lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal): Promise<void> {
    this.#checkOpen();
    await this.#leads.lead(name, work, until);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#leads.close();
    this.#isClosed = true;
    this.#entries.clear();
    this.#order.length = 0;
    this.#log = [];
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
  }

  #put(key: string, entry: Entry): void {
    if (!this.#entries.has(key)) {
      const bytes = byteString(key);
      this.#order.splice(this.#position(bytes), 0, bytes);
    }
    this.#entries.set(key, entry);
  }

  #delete(key: string): void {
    if (this.#entries.delete(key)) this.#order.splice(this.#position(byteString(key)), 1);
  }

  *#keysFrom(from: ByteString): Generator<ByteString> {
    for (let index = this.#position(from); index < this.#order.length; index++) yield this.#order[index]!;
  }

  /** Of the first key that is this one or a later one. */
  #position(bytes: ByteString): number {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order[middle]! < bytes) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
