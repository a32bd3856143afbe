/**
 * The keys that values are encrypted with: the newest term writes, all of them read. One keyring is stored, encrypted
 * under the root key, and every unsealed process holds a copy of it.
 *
 * Encryptions are counted by each process and added to the stored count when it saves the keyring; what a process
 * counted since then is lost when it dies. The count is therefore a little low, and the limit leaves 10 % for that.
 */
import { emptyKey, keyCopy, keyLength, wipe } from "./key-material.ts";
import { defaultRotation, type RotationSettings } from "./rotation-settings.ts";
import type { SealConfig } from "./seal-config.ts";

const keyringFormat = 1;

/** The format byte of values that the barrier writes. */
export const entryFormat = 1;
export const entryHeaderLength = 5;

/** Encrypts the keyring. The generation grows with each new root key. */
export interface RootKey {
  readonly generation: number;
  readonly key: Buffer;
}

/** One key, and how often it was used. */
export interface Term {
  readonly term: number;
  readonly key: Buffer;
  /** What every value written under this term begins with. */
  readonly header: Buffer;
  /** Milliseconds since the epoch. */
  readonly installed: number;
  /** Encryptions that all processes together have reported. */
  saved: number;
  /** Encryptions of this process that are not part of `saved` yet. */
  unsaved: number;
}

/** Everything about a keyring but the keys, which must never become text: text cannot be wiped. */
interface Description {
  readonly format: number;
  readonly seal: SealConfig;
  readonly rotation: RotationSettings;
  readonly terms: readonly { readonly term: number; readonly installed: number; readonly encryptions: number }[];
}

export class Keyring {
  readonly terms = new Map<number, Term>();
  #active: Term | undefined;
  #rootKey: RootKey;
  rotation: RotationSettings = defaultRotation;
  /** How the store is sealed: what makes the readable record of it trustworthy. */
  sealConfig: SealConfig;

  private constructor(rootKey: RootKey, sealConfig: SealConfig) {
    this.#rootKey = rootKey;
    this.sealConfig = sealConfig;
  }

  static create(rootKey: RootKey, sealConfig: SealConfig, key: Buffer, now: number): Keyring {
    const keyring = new Keyring(rootKey, sealConfig);
    keyring.add(key, now);
    return keyring;
  }

  static parse(bytes: Uint8Array, rootKey: RootKey): Keyring {
    const at = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0) + 4;
    const description = JSON.parse(Buffer.from(bytes.subarray(4, at)).toString()) as Description;
    if (description.format !== keyringFormat) {
      throw new Error(`the keyring has format ${description.format}, and this version reads ${keyringFormat}`);
    }
    const keyring = new Keyring(rootKey, description.seal);
    keyring.rotation = description.rotation;
    for (const [index, { term, installed, encryptions }] of description.terms.entries()) {
      const key = keyCopy(bytes.subarray(at + index * keyLength, at + (index + 1) * keyLength));
      keyring.#install(term, key, installed, encryptions);
    }
    return keyring;
  }

  /** What `parse` reads. It contains the keys: wipe it once it is encrypted. */
  serialize(): Buffer {
    const terms = [...this.terms.values()];
    const description: Description = {
      format: keyringFormat,
      seal: this.sealConfig,
      rotation: this.rotation,
      terms: terms.map(({ term, installed, saved }) => ({ term, installed, encryptions: saved })),
    };
    const text = Buffer.from(JSON.stringify(description));
    const bytes = emptyKey(4 + text.length + terms.length * keyLength);
    bytes.writeUInt32BE(text.length);
    bytes.set(text, 4);
    for (const [index, { key }] of terms.entries()) bytes.set(key, 4 + text.length + index * keyLength);
    return bytes;
  }

  get active(): Term {
    if (this.#active === undefined) throw new Error("the keyring has no key");
    return this.#active;
  }

  get rootKey(): RootKey {
    return this.#rootKey;
  }

  /** Owns the new key from now on; the old one is wiped. */
  replaceRootKey(rootKey: RootKey): void {
    wipe(this.#rootKey.key);
    this.#rootKey = rootKey;
  }

  /** A new term writes from now on; owns `key`. */
  add(key: Buffer, now: number): void {
    this.#install((this.#active?.term ?? 0) + 1, key, now, 0);
  }

  /** Has keys of its own, so that either can be wiped; what this process counted but did not save is not in it. */
  copy(): Keyring {
    const { generation, key } = this.#rootKey;
    const copy = new Keyring({ generation, key: keyCopy(key) }, this.sealConfig);
    copy.rotation = this.rotation;
    for (const { term, key, installed, saved } of this.terms.values())
      copy.#install(term, keyCopy(key), installed, saved);
    return copy;
  }

  /** Passes on what this process counted and did not save, then wipes this keyring. */
  handOver(successor: Keyring): void {
    for (const [number, { unsaved }] of this.terms) {
      const term = successor.terms.get(number);
      if (term !== undefined) term.unsaved += unsaved;
    }
    this.wipe();
  }

  wipe(): void {
    wipe(this.#rootKey.key);
    for (const { key } of this.terms.values()) wipe(key);
    this.terms.clear();
    this.#active = undefined;
  }

  #install(term: number, key: Buffer, installed: number, saved: number): void {
    const header = Buffer.alloc(entryHeaderLength);
    header.writeUInt32BE(term);
    header[4] = entryFormat;
    const installedTerm = { term, key, header, installed, saved, unsaved: 0 };
    this.terms.set(term, installedTerm);
    if (this.#active === undefined || term > this.#active.term) this.#active = installedTerm;
  }
}
