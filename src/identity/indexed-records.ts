/**
 * Records together with the keys that lead to them. Every index entry follows from its record and changes with it,
 * in the same transaction; a new entry is read before it is written, so of two writers who want it one is too late.
 */
import { Collection, recordBytes } from "../api/collection.ts";
import type { Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import { isId } from "./storage-name.ts";

/** What leads to a record: keys with what stands under each. */
export type Index = ReadonlyMap<string, object>;

export interface Change<Item> {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

const nothing = Promise.resolve(undefined);

export class IndexedRecords<Item extends { readonly id: string }> {
  readonly #storage: Storage;
  readonly #records: Collection<Item>;
  readonly #indexOf: (item: Item) => Index;

  constructor(storage: Storage, prefix: string, indexOf: (item: Item) => Index) {
    this.#storage = storage;
    this.#records = new Collection(storage, prefix);
    this.#indexOf = indexOf;
  }

  get(id: string): Promise<Readonly<Item> | undefined> {
    return isId(id) ? this.#records.get(id) : nothing;
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }

  /** All changes at once, so that an index entry may move from one record to another. */
  async save(changes: readonly Change<Item>[]): Promise<void> {
    const old = this.#indexes(changes.map(({ before }) => before));
    const wanted = this.#indexes(changes.map(({ after }) => after));
    for (const key of wanted.keys()) if (!old.has(key)) await this.#requireFree(key);
    for (const key of old.keys()) if (!wanted.has(key)) this.#storage.delete(key);
    for (const [key, value] of wanted) {
      if (!isSame(old.get(key), value)) this.#storage.put(key, recordBytes(value));
    }
    for (const { before, after } of changes) {
      if (after) this.#records.put(after.id, after);
      else if (before) this.#records.delete(before.id);
    }
  }

  #indexes(items: readonly (Item | undefined)[]): Index {
    const all = new Map<string, object>();
    for (const item of items) if (item) for (const [key, value] of this.#indexOf(item)) all.set(key, value);
    return all;
  }

  async #requireFree(key: string): Promise<void> {
    if ((await this.#storage.get(key)) !== undefined) throw new Error(`the index entry ${key} is taken`);
  }
}

const isSame = (one: object | undefined, other: object) =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);
