/** The embedded store: one LMDB folder, opened by any number of processes on this machine. */
import { randomUUID } from "node:crypto";
import { type ByteString, checkKey, maxKeyBytes, pageOfNames } from "./key.ts";
import { Leads, type LeadTimings } from "./lead.ts";
import { type Databases, lowest, openDatabases } from "./lmdb-databases.ts";
import {
  copyValue,
  decodeKeys,
  encodeEntry,
  encodeKeys,
  encodeSequence,
  setVersion,
  versionOf,
} from "./lmdb-record.ts";
import { Writer } from "./lmdb-writer.ts";
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

export interface LmdbOptions {
  /** So many commits, at least, can be asked for with `changes`. */
  readonly history?: number;
  /** Address space to begin with, in bytes; LMDB takes more when the data outgrow it. No memory or disk is used by it. */
  readonly mapSize?: number;
  readonly lead?: Partial<LeadTimings>;
}

const sequenceKey = Buffer.from("sequence");

export class LmdbStore implements Store {
  readonly type = "lmdb";
  readonly maxKeyBytes = maxKeyBytes;
  readonly #databases: Databases;
  /** Answers with the first key whose expectation was wrong. */
  readonly #writer: Writer<string | undefined>;
  readonly #history: number;
  readonly #leads: Leads;
  #isClosed = false;
  #sequence = 0;
  #at: Point = "0";

  private constructor(path: string, databases: Databases, options: LmdbOptions) {
    this.#databases = databases;
    this.#writer = new Writer(databases, path);
    this.#history = options.history ?? 4096;
    this.#leads = new Leads(this, randomUUID(), options.lead);
  }

  static async open(path: string, options: LmdbOptions = {}): Promise<LmdbStore> {
    return new LmdbStore(path, await openDatabases(path, options.mapSize ?? 16 * 2 ** 30), options);
  }

  async get(key: string): Promise<Entry | undefined> {
    checkKey(key);
    this.#freshen();
    const record = this.#databases.entries.getBinaryFast(key);
    return record && { value: copyValue(record), version: versionOf(record) };
  }

  async list(prefix: string, page?: Page): Promise<string[]> {
    this.#freshen();
    return pageOfNames((from) => this.#keysFrom(from), prefix, page);
  }

  async changes(since: Point | undefined): Promise<Changes> {
    this.#freshen();
    let sequence = this.#lastSequence();
    while (sequence < this.#sequence) {
      // Another process that opens the folder has just turned back the number of the latest transaction.
      this.#databases.latest.restore();
      this.#freshen();
      sequence = this.#lastSequence();
    }
    if (sequence !== this.#sequence) {
      this.#sequence = sequence;
      this.#at = String(sequence);
    }
    const at = this.#at;
    if (since === at || since === undefined) return { at, keys: [] };
    return { at, keys: this.#loggedKeys(Number(since), sequence) };
  }

  async commit(batch: Batch): Promise<void> {
    this.#checkOpen();
    const conflict = await this.#writer.write(this.#prepare(batch));
    if (conflict !== undefined) throw new Conflict(conflict);
  }

  async lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal): Promise<void> {
    this.#checkOpen();
    await this.#leads.lead(name, work, until);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#leads.close();
    this.#isClosed = true;
    await this.#writer.idle();
    await this.#databases.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed");
  }

  /** Lets the next read see what other processes have committed; LMDB's library would go on with what it saw before. */
  #freshen(): void {
    this.#checkOpen();
    this.#databases.root.resetReadTxn();
  }

  /** Does all work that can be done outside the transaction, which holds the one write lock of all processes. */
  #prepare({ expect, puts, deletes }: Batch): () => string | undefined {
    for (const keys of [expect.keys(), puts.keys(), deletes]) for (const key of keys) checkKey(key);
    const { entries, log, meta } = this.#databases;
    const records = [...puts].map(([key, value]) => [key, encodeEntry(value)] as const);
    const touched = encodeKeys([...deletes, ...puts.keys()]);
    return () => {
      for (const [key, version] of expect) {
        const record = entries.getBinaryFast(key);
        if ((record && versionOf(record)) !== version) return key;
      }
      if (records.length === 0 && deletes.size === 0) return undefined;
      const sequence = this.#lastSequence() + 1;
      for (const key of deletes) entries.removeSync(key);
      for (const [key, record] of records) {
        setVersion(record, sequence);
        entries.putSync(key, record);
      }
      const name = encodeSequence(sequence);
      log.putSync(name, touched);
      meta.putSync(sequenceKey, name);
      this.#prune(sequence);
      return undefined;
    };
  }

  /** In strides, since every page of the log that is touched is one more to write to disk. */
  #prune(sequence: number): void {
    const stride = Math.ceil(this.#history / 8);
    if (sequence % stride !== 0) return;
    const last = sequence - this.#history;
    for (let old = Math.max(1, last - stride + 1); old <= last; old++)
      this.#databases.log.removeSync(encodeSequence(old));
  }

  #lastSequence(): number {
    const record = this.#databases.meta.getBinaryFast(sequenceKey);
    return record ? versionOf(record) : 0;
  }

  #loggedKeys(since: number, until: number): string[] | undefined {
    const missing = until - since;
    if (!(missing > 0 && missing <= 2 * this.#history)) return undefined;
    const keys = new Set<string>();
    let found = 0;
    for (const { value } of this.#databases.log.getRange({ start: encodeSequence(since + 1), limit: missing })) {
      decodeKeys(value, keys);
      found++;
    }
    // Numbers have no gaps: fewer than these means that the oldest of them are no longer there.
    return found === missing ? [...keys] : undefined;
  }

  #keysFrom(from: ByteString): Iterator<ByteString> {
    // A longer key cannot exist, and LMDB cannot look for one: what follows its beginning follows it too.
    const start = Buffer.from(from.slice(0, maxKeyBytes), "latin1");
    const range = { start, exclusiveStart: from.length > maxKeyBytes };
    const keys = start.length === 0 ? { ...range, start: lowest } : range;
    return this.#databases.entries.getKeys(keys)[Symbol.iterator]() as Iterator<unknown> as Iterator<ByteString>;
  }
}
