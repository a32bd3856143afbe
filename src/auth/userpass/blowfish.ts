/** The Blowfish cipher with the expensive key schedule of bcrypt. Only what checking an imported password needs. */
import { piFraction } from "./pi-fraction.ts";

const rounds = 16;
const subkeys = rounds + 2;
const boxWords = 1024;

const initial = Uint32Array.from({ length: subkeys + boxWords }, (_, index) => {
  const view = new DataView(piFraction.buffer, piFraction.byteOffset, piFraction.byteLength);
  return view.getUint32(index * 4);
});

export class Blowfish {
  readonly #subkeys = initial.slice(0, subkeys);
  readonly #boxes = initial.slice(subkeys);

  /** Mixes the key into the state, and encrypts the state with itself and the salt of four words, if there is one. */
  expand(key: Uint32Array, salt?: Uint32Array): void {
    const schedule = this.#subkeys;
    for (let i = 0; i < subkeys; i++) schedule[i]! ^= key[i]!;
    const block = new Uint32Array(2);
    let position = 0;
    for (const target of [schedule, this.#boxes]) {
      for (let i = 0; i < target.length; i += 2, position += 2) {
        if (salt) {
          block[0]! ^= salt[position & 3]!;
          block[1]! ^= salt[(position + 1) & 3]!;
        }
        this.encrypt(block);
        target[i] = block[0]!;
        target[i + 1] = block[1]!;
      }
    }
  }

  /** Encrypts two words in place. */
  encrypt(block: Uint32Array): void {
    const schedule = this.#subkeys;
    const boxes = this.#boxes;
    let left = block[0]!;
    let right = block[1]!;
    for (let round = 0; round < rounds; round++) {
      left ^= schedule[round]!;
      const sum = (boxes[left >>> 24]! + boxes[256 + ((left >>> 16) & 255)]!) ^ boxes[512 + ((left >>> 8) & 255)]!;
      right ^= sum + boxes[768 + (left & 255)]!;
      [left, right] = [right, left];
    }
    block[0] = right ^ schedule[rounds + 1]!;
    block[1] = left ^ schedule[rounds]!;
  }
}

/** A key as the eighteen words that a key schedule takes: its bytes, again and again. */
export function keyWords(key: Uint8Array): Uint32Array {
  let at = 0;
  return Uint32Array.from({ length: subkeys }, () => {
    let word = 0;
    for (let i = 0; i < 4; i++, at++) word = (word << 8) | key[at % key.length]!;
    return word;
  });
}
