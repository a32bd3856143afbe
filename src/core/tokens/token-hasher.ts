/** Keyed hashes of token ids, and those of the last few, since a client shows the same token with each request. */
import { createHmac } from "node:crypto";
import { base62Letters } from "../../lib/base62.ts";

/** Some 136 bits: as many letters as accessors have, since people see this as the token's accessor. */
const hashLetters = 24;

const mostPerGeneration = 500;

/** Belongs to the cached salt, so what it remembers goes when the server is sealed. */
export class TokenHasher {
  readonly #salt: Uint8Array;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  constructor(salt: Uint8Array) {
    this.#salt = salt;
  }

  hash(id: string): string {
    const known = this.#young.get(id);
    if (known !== undefined) return known;
    const hash = this.#old.get(id) ?? this.#hash(id);
    if (this.#young.size >= mostPerGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, hash);
    return hash;
  }

  #hash(id: string): string {
    const digest = createHmac("sha256", this.#salt).update(id).digest();
    return base62Letters(digest.subarray(0, hashLetters));
  }
}
