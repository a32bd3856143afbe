/** Compiled access control lists by what they were made of; bounded, the least used ones go first. */
import type { Acl } from "./acl.ts";

export class AclCache {
  readonly #generationSize: number;
  /** Two generations: what is used moves to the young one, what is not dies with the old one. */
  #young = new Map<string, Acl>();
  #old = new Map<string, Acl>();

  constructor(size = 2048) {
    this.#generationSize = size / 2;
  }

  get(key: string): Acl | undefined {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    if (old) this.set(key, old);
    return old;
  }

  set(key: string, acl: Acl): void {
    if (this.#young.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, acl);
  }
}
