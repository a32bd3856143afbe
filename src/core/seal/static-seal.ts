/** Unseals by itself with a key from the configuration; a previous key still opens, so that the key can be changed. */
import type { Random } from "../../api/engine.ts";
import { decryptBytes, encryptBytes, nonceLength } from "./aead.ts";
import { keyLength } from "./key-material.ts";
import { type Seal, SealRefused, type Unwrapped, type Wrapped } from "./seal.ts";

const header = Buffer.of(1);

export interface StaticKey {
  readonly id: string;
  readonly key: Uint8Array;
}

export class StaticSeal implements Seal {
  readonly type = "static";
  readonly #current: StaticKey;
  readonly #previous: StaticKey | undefined;
  readonly #random: Random;

  constructor(random: Random, current: StaticKey, previous?: StaticKey) {
    for (const { id, key } of previous === undefined ? [current] : [current, previous]) {
      if (key.length !== keyLength) {
        throw new RangeError(`the static key ${JSON.stringify(id)} must have ${keyLength} bytes, not ${key.length}`);
      }
    }
    this.#current = current;
    this.#previous = previous;
    this.#random = random;
  }

  async wrap(rootKey: Uint8Array, purpose: string): Promise<Wrapped> {
    const { id, key } = this.#current;
    const sealing = { key, header, location: location(purpose, id) };
    return { key_id: id, bytes: encryptBytes(sealing, this.#random.bytes(nonceLength), rootKey) };
  }

  async unwrap({ key_id, bytes }: Wrapped, purpose: string): Promise<Unwrapped> {
    const chosen = [this.#current, this.#previous].find((candidate) => candidate?.id === key_id);
    if (chosen === undefined) throw new SealRefused(this.#unknown(key_id));
    const rootKey = decryptBytes({ key: chosen.key, header, location: location(purpose, key_id) }, bytes);
    if (rootKey === undefined) {
      throw new SealRefused(
        `the static key ${JSON.stringify(key_id)} in the configuration does not open this store's root key: ` +
          "it is a different key under the same id, or the stored root key was altered",
      );
    }
    return { rootKey, isOutdated: chosen !== this.#current };
  }

  #unknown(id: string): string {
    const known = this.#previous === undefined ? [this.#current] : [this.#current, this.#previous];
    return (
      `this store's root key was wrapped by the static key ${JSON.stringify(id)}, and the configuration has ` +
      known.map((candidate) => JSON.stringify(candidate.id)).join(" and ")
    );
  }
}

/** The id is authenticated too. JSON keeps the two apart, whatever characters they have. */
const location = (purpose: string, id: string) => JSON.stringify([purpose, id]);
