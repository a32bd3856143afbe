/**
 * The barrier: every value is encrypted before it reaches the store, and bound to the key that it is stored under.
 * Stored bytes are the term of the key (4 bytes, big-endian), a format byte, a nonce, ciphertext and tag.
 */
import type { Random } from "../../api/engine.ts";
import { sealed } from "../../api/errors.ts";
import { decryptBytes, encryptBytes, nonceLength } from "./aead.ts";
import { entryFormat, entryHeaderLength, type Keyring } from "./keyring.ts";

const noncesPerDraw = 256;

/** The bytes under a key are not what the barrier wrote there. */
export class AlteredEntry extends Error {
  override readonly name = "AlteredEntry";
  readonly key: string;

  constructor(key: string, why = "it does not decrypt under its own path") {
    super(`the stored entry ${JSON.stringify(key)} was altered or moved: ${why}`);
    this.key = key;
  }
}

/** Written with a key that this process has not got (yet): reload the keyring and try once more. */
export class UnknownTerm extends Error {
  override readonly name = "UnknownTerm";
  readonly term: number;

  constructor(key: string, term: number) {
    super(`the stored entry ${JSON.stringify(key)} names key term ${term}, which is not in the keyring`);
    this.term = term;
  }
}

export class Barrier {
  readonly #random: Random;
  #keyring: Keyring | undefined;
  #nonces: Uint8Array = new Uint8Array(0);
  #used = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get isSealed(): boolean {
    return this.#keyring === undefined;
  }

  /** The keys in use; refuses with "Vault is sealed" when there are none. */
  get keyring(): Keyring {
    if (this.#keyring === undefined) throw sealed();
    return this.#keyring;
  }

  /** Takes the keys over; an earlier keyring hands on what it counted and is wiped. */
  open(keyring: Keyring): void {
    if (this.#keyring !== undefined) this.#keyring.handOver(keyring);
    this.#keyring = keyring;
  }

  /** Overwrites every key. Encrypting is synchronous, so no operation is ever in the middle of using one. */
  close(): void {
    this.#keyring?.wipe();
    this.#keyring = undefined;
  }

  encrypt(key: string, plaintext: Uint8Array): Uint8Array {
    const { active } = this.keyring;
    active.unsaved += 1;
    return encryptBytes({ key: active.key, header: active.header, location: key }, this.#nonce(), plaintext);
  }

  decrypt(key: string, stored: Uint8Array): Uint8Array {
    const { terms } = this.keyring;
    if (stored.length < entryHeaderLength) throw new AlteredEntry(key);
    if (stored[4] !== entryFormat) {
      throw new AlteredEntry(key, `its format byte is ${stored[4]}, and only ${entryFormat} is known`);
    }
    const number = new DataView(stored.buffer, stored.byteOffset).getUint32(0);
    const term = terms.get(number);
    if (term === undefined) throw new UnknownTerm(key, number);
    const plaintext = decryptBytes({ key: term.key, header: term.header, location: key }, stored);
    if (plaintext === undefined) throw new AlteredEntry(key);
    return plaintext;
  }

  /** Nonces are drawn many at a time: one call to the system for each would cost half as much as the encryption. */
  #nonce(): Uint8Array {
    if (this.#used === this.#nonces.length) {
      this.#nonces = this.#random.bytes(nonceLength * noncesPerDraw);
      this.#used = 0;
    }
    this.#used += nonceLength;
    return this.#nonces.subarray(this.#used - nonceLength, this.#used);
  }
}
