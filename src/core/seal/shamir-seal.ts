/** Wraps the root key with the unseal key, which exists only in the hands of those who hold its shares. */
import type { Random } from "../../api/engine.ts";
import { decryptBytes, encryptBytes, nonceLength } from "./aead.ts";
import { type Seal, SealRefused, type Unwrapped, type Wrapped } from "./seal.ts";

const header = Buffer.of(1);

export class ShamirSeal implements Seal {
  readonly type = "shamir";
  readonly #unsealKey: Uint8Array;
  readonly #random: Random;

  /** Uses the key where it is, so that wiping it ends the use of this seal. */
  constructor(unsealKey: Uint8Array, random: Random) {
    this.#unsealKey = unsealKey;
    this.#random = random;
  }

  async wrap(rootKey: Uint8Array, purpose: string): Promise<Wrapped> {
    // Under a key of zeros, which is what wiping leaves, the root key would be lost to its owners and open to others.
    if (this.#unsealKey.every((byte) => byte === 0)) throw new Error("the unseal key was wiped before it was used");
    const sealing = { key: this.#unsealKey, header, location: purpose };
    return { key_id: "", bytes: encryptBytes(sealing, this.#random.bytes(nonceLength), rootKey) };
  }

  async unwrap({ bytes }: Wrapped, purpose: string): Promise<Unwrapped> {
    const rootKey = decryptBytes({ key: this.#unsealKey, header, location: purpose }, bytes);
    if (rootKey === undefined) {
      throw new SealRefused("the unseal key is not the one that this server's root key was wrapped with");
    }
    return { rootKey, isOutdated: false };
  }
}
