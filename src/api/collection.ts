/** Typed records of one kind under one prefix of a storage. */
import type { Storage } from "./engine.ts";
import type { PageRequest } from "./list-fields.ts";

export class Collection<Item extends object> {
  readonly #storage: Storage;
  readonly #prefix: string;

  /** `prefix` ends in a slash. */
  constructor(storage: Storage, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  /** The record, frozen: it is shared with whoever reads it next. */
  get(name: string): Promise<Readonly<Item> | undefined> {
    return this.#storage.read(this.#prefix + name, parseRecord) as Promise<Readonly<Item> | undefined>;
  }

  async has(name: string): Promise<boolean> {
    return (await this.#storage.get(this.#prefix + name)) !== undefined;
  }

  put(name: string, item: Item): void {
    this.#storage.put(this.#prefix + name, recordBytes(item));
  }

  delete(name: string): void {
    this.#storage.delete(this.#prefix + name);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#storage.list(this.#prefix, page);
  }
}

/** One record under one key, such as a configuration. */
export class Single<Item extends object> {
  readonly #storage: Storage;
  readonly #key: string;

  constructor(storage: Storage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  get(): Promise<Readonly<Item> | undefined> {
    return this.#storage.read(this.#key, parseRecord) as Promise<Readonly<Item> | undefined>;
  }

  put(item: Item): void {
    this.#storage.put(this.#key, recordBytes(item));
  }

  delete(): void {
    this.#storage.delete(this.#key);
  }
}

export const recordBytes = (item: object): Uint8Array => Buffer.from(JSON.stringify(item), "utf8");

/** One function for all records, since the cache keeps a parsed value by the function that parsed it. */
export function parseRecord(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return frozen(JSON.parse(text));
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
