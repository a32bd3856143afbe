/** A part of a storage under one prefix: all that an engine can see of the store. */
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import type { AtHand } from "../../lib/at-hand.ts";
import { type QuickStorage, readAtHand } from "./read-at-hand.ts";

export class StorageView implements QuickStorage {
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

  readNow<T>(key: string, parse: (bytes: Uint8Array) => T): AtHand<T | undefined> {
    return readAtHand(this.#storage, this.#prefix + key, parse);
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
