/** CRLs as they are kept: one complete and one delta list for each group of issuers with one name and one key. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";

/** Times in milliseconds since the epoch. */
export interface CrlState {
  /** Of the list that was built last, complete or delta. */
  readonly number: number;
  readonly completeNumber: number;
  readonly builtAt: number;
  readonly endsAt: number;
  readonly deltaBuiltAt: number;
  /** Of the complete list: decides whether a revocation waits for the next one. */
  readonly entries: number;
}

export class Crls {
  readonly #storage: Storage;
  readonly #states: Collection<CrlState>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#states = new Collection(storage, "crl/");
  }

  state(group: string): Promise<CrlState | undefined> {
    return this.#states.get(group);
  }

  groups(): Promise<string[]> {
    return this.#states.list();
  }

  complete(group: string): Promise<Uint8Array | undefined> {
    return this.#storage.get(`crl-complete/${group}`);
  }

  delta(group: string): Promise<Uint8Array | undefined> {
    return this.#storage.get(`crl-delta/${group}`);
  }

  put(group: string, state: CrlState, lists: { readonly complete?: Uint8Array; readonly delta?: Uint8Array }): void {
    this.#states.put(group, state);
    if (lists.complete) this.#storage.put(`crl-complete/${group}`, lists.complete);
    if (lists.delta) this.#storage.put(`crl-delta/${group}`, lists.delta);
  }

  delete(group: string): void {
    this.#states.delete(group);
    for (const kind of ["complete", "delta", "waiting"]) this.#storage.delete(`crl-${kind}/${group}`);
  }

  /** Says that a revocation is in no list yet. Each saying is another value, so that a list under way is begun anew. */
  wait(group: string, token: Uint8Array): void {
    this.#storage.put(`crl-waiting/${group}`, token);
  }

  async isWaiting(group: string): Promise<boolean> {
    return (await this.#storage.get(`crl-waiting/${group}`)) !== undefined;
  }

  stopWaiting(group: string): void {
    this.#storage.delete(`crl-waiting/${group}`);
  }
}
