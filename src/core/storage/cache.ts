/**
 * Decrypted records, kept while they are current. Checked against the store once per request; after that check,
 * what it holds is as fresh as the store was at that moment.
 */
import { type Barrier, UnknownTerm } from "../seal/barrier.ts";
import type { Point, Store, Version } from "./store.ts";

/** A record, or (both undefined) the knowledge that there is none. */
export class CachedRecord {
  readonly version: Version | undefined;
  readonly value: Uint8Array | undefined;
  #parse: unknown;
  #parsed: unknown;

  constructor(version: Version | undefined, value: Uint8Array | undefined) {
    this.version = version;
    this.value = value;
  }

  /** Parsed once for as long as the record lives, by the function that asked last. */
  parsed<T>(parse: (bytes: Uint8Array) => T): T | undefined {
    if (this.value === undefined) return undefined;
    if (this.#parse !== parse) {
      this.#parsed = parse(this.value);
      this.#parse = parse;
    }
    return this.#parsed as T;
  }
}

/** Changes below this prefix are changes of keys. */
const sealPrefix = "core/seal/";

/** Roughly what a record costs beyond its bytes. */
const overhead = 200;

export class RecordCache {
  readonly #store: Store;
  readonly #barrier: Barrier;
  readonly #reloadKeyring: () => Promise<void>;
  readonly #generationBytes: number;
  /** Two generations: what is used moves to the young one, what is not dies with the old one. */
  #young = new Map<string, CachedRecord>();
  #old = new Map<string, CachedRecord>();
  #youngBytes = 0;
  #reading = new Map<string, Promise<CachedRecord>>();
  #at: Point | undefined;

  constructor(store: Store, barrier: Barrier, reloadKeyring: () => Promise<void>, bytes = 64 * 1024 * 1024) {
    this.#store = store;
    this.#barrier = barrier;
    this.#reloadKeyring = reloadKeyring;
    this.#generationBytes = bytes / 2;
  }

  /** Forgets what other requests and other processes changed. */
  async check(): Promise<void> {
    const { at, keys } = await this.#store.changes(this.#at);
    if (keys === undefined) this.clear();
    else for (const key of keys) this.#forget(key);
    this.#at = at;
    if (keys?.some((key) => key.startsWith(sealPrefix))) await this.#reloadKeyring();
  }

  get(key: string): CachedRecord | Promise<CachedRecord> {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    if (old) {
      this.#old.delete(key);
      this.#keep(key, old);
      return old;
    }
    return this.#reading.get(key) ?? this.#load(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngBytes = 0;
    this.#reading.clear();
  }

  /** Takes everything out of memory; for sealing. */
  wipe(): void {
    for (const { value } of [...this.#young.values(), ...this.#old.values()]) value?.fill(0);
    this.clear();
    this.#at = undefined;
  }

  #load(key: string): Promise<CachedRecord> {
    const reading = this.#read(key).then((record) => {
      // A change that was noticed while we read has taken this read off the list: what it brings may be old.
      if (this.#reading.get(key) === reading) this.#keep(key, record);
      return record;
    });
    this.#reading.set(key, reading);
    const done = () => {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    };
    reading.then(done, done);
    return reading;
  }

  async #read(key: string): Promise<CachedRecord> {
    const entry = await this.#store.get(key);
    if (!entry) return new CachedRecord(undefined, undefined);
    return new CachedRecord(entry.version, await this.#decrypt(key, entry.value));
  }

  async #decrypt(key: string, value: Uint8Array): Promise<Uint8Array> {
    try {
      return this.#barrier.decrypt(key, value);
    } catch (error) {
      if (!(error instanceof UnknownTerm)) throw error;
      // Another process rotated the keyring and wrote with the new key before we heard of it.
      await this.#reloadKeyring();
      return this.#barrier.decrypt(key, value);
    }
  }

  #keep(key: string, record: CachedRecord): void {
    this.#young.set(key, record);
    this.#youngBytes += (record.value?.length ?? 0) * 2 + key.length + overhead;
    if (this.#youngBytes < this.#generationBytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }

  #forget(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
    this.#reading.delete(key);
  }
}
