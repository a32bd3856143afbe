/** A part of a storage under one prefix: all that an engine can see of the store. */
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";

export class StorageView implements Storage {
  readonly #storage: Storage;
  readonly #prefix: string;

  constructor(storage: Storage, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  get(key: string): Promise<Uint8Array | undefined> {
    return this.#storage.get(this.#prefix + key);
  }

  read<T>(key: string, parse: (bytes: Uint8Array) => T): Promise<T | undefined> {
    return this.#storage.read(this.#prefix + key, parse);
  }

  put(key: string, value: Uint8Array): void {
    this.#storage.put(this.#prefix + key, value);
  }

  delete(key: string): void {
    this.#storage.delete(this.#prefix + key);
  }

  list(prefix: string, page?: PageRequest): Promise<string[]> {
    return this.#storage.list(this.#prefix + prefix, page);
  }
}
