/**
 * Versioned secrets in the store: one record for a key with the state of its versions, and one for the data of each.
 * Listing and settings never touch data, and a write costs two records however many versions there are.
 */
import { recordBytes } from "../../../api/collection.ts";
import type { Storage } from "../../../api/engine.ts";
import type { PageRequest } from "../../../api/list-fields.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { scan } from "../scan.ts";
import { folderOf, parseSecret, secretBytes, secretPrefix } from "../secret-text.ts";
import { firstNumber, holdsData, type Key, newKey, versionOf } from "./key.ts";

export class Secrets {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get(path: string): Promise<Key | undefined> {
    return this.#storage.read(secretPrefix + path, parseKey);
  }

  async has(path: string): Promise<boolean> {
    return (await this.#storage.get(secretPrefix + path)) !== undefined;
  }

  /** Only for a version that is not gone. */
  async data(path: string, key: Key, version: number): Promise<Readonly<JsonObject>> {
    const data = key.unversioned ?? (await this.#storage.read(dataKey(path, version), parseSecret));
    if (!data) throw new Error(`the data of version ${version} is missing`);
    return data;
  }

  /** Stores the new state of a key, and drops the data of versions that it no longer holds. */
  replace(path: string, before: Key | undefined, after: Key): void {
    if (before) this.#dropData(path, before, after);
    const { unversioned, ...stored } = after;
    if (unversioned && holdsData(versionOf(after, 1))) this.#storage.put(dataKey(path, 1), secretBytes(unversioned));
    this.#storage.put(secretPrefix + path, recordBytes([stored]));
  }

  /** The same, with the data of the version that is now the current one. */
  addVersion(path: string, before: Key | undefined, after: Key, data: Readonly<JsonObject>): void {
    this.replace(path, before, after);
    this.#storage.put(dataKey(path, after.current_version), secretBytes(data));
  }

  remove(path: string, key: Key): void {
    this.#dropData(path, key, undefined);
    this.#storage.delete(secretPrefix + path);
  }

  list(path: string, page: PageRequest): Promise<string[]> {
    return this.#storage.list(folderOf(path), page);
  }

  scan(path: string, page: PageRequest): Promise<string[]> {
    return scan(this.#storage, folderOf(path), page);
  }

  #dropData(path: string, before: Key, after: Key | undefined): void {
    const first = firstNumber(before);
    for (const [index, version] of before.versions.entries()) {
      const number = first + index;
      if (holdsData(version) && !holdsData(after && versionOf(after, number))) {
        this.#storage.delete(dataKey(path, number));
      }
    }
  }
}

/** No two secrets share one: what follows the last slash is the version, and what comes before it the path. */
const dataKey = (path: string, version: number) => `versions/${path}/${version}`;

const openingBracket = "[";

/** A key is stored as a list of one, which tells it from the data of a secret that has no versions yet. */
function parseKey(bytes: Uint8Array): Key {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (text.startsWith(openingBracket)) return (JSON.parse(text) as [Key])[0];
  return {
    ...newKey(0),
    current_version: 1,
    versions: [{ created_time: 0 }],
    unversioned: parseSecret(bytes),
  };
}
