/** Key shares given one by one, until there are enough of them. */
import { timingSafeEqual } from "node:crypto";
import { keyCopy, wipe } from "./key-material.ts";
import { combineShares, MalformedShares } from "./shamir.ts";

export class ShareCollector {
  #shares: Buffer[] = [];

  get count(): number {
    return this.#shares.length;
  }

  has(share: Buffer): boolean {
    // Every share is compared, so that time does not tell which one matched.
    return this.#shares.filter((known) => known.length === share.length && timingSafeEqual(known, share)).length > 0;
  }

  /** Owns `share`. False, and nothing changes, when it is here already. */
  add(share: Buffer): boolean {
    const isNew = !this.has(share);
    if (isNew) this.#shares.push(share);
    else wipe(share);
    return isNew;
  }

  /** The key that these are shares of, if they are; a single share is the key. Undefined when they cannot be. */
  combine(): Buffer | undefined {
    if (this.#shares.length === 1) return keyCopy(this.#shares[0]!);
    try {
      return combineShares(this.#shares);
    } catch (error) {
      if (error instanceof MalformedShares) return undefined;
      throw error;
    }
  }

  clear(): void {
    wipe(...this.#shares);
    this.#shares = [];
  }
}
