/** Finds records by names that are unique, and lists the names in order. */
import { Collection } from "../api/collection.ts";
import type { Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import { inBatches } from "./batches.ts";
import { isStorable, nameKey } from "./storage-name.ts";

/** The name as it was written: its key is in lower case. */
export interface NamedId {
  readonly id: string;
  readonly name: string;
}

export class NameIndex {
  readonly #entries: Collection<NamedId>;

  constructor(storage: Storage, prefix: string) {
    this.#entries = new Collection(storage, prefix);
  }

  async idOf(name: string): Promise<string | undefined> {
    return isStorable(name) ? (await this.#entries.get(nameKey(name)))?.id : undefined;
  }

  async names({ after, limit }: PageRequest): Promise<string[]> {
    const keys = await this.#entries.list({ after: after === undefined ? undefined : nameKey(after), limit });
    const found = await inBatches(keys, (key) => this.#entries.get(key));
    return found.flatMap((entry) => (entry ? [entry.name] : []));
  }
}
