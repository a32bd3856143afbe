/** The Blowfish cipher with the expensive key schedule of bcrypt. Only what checking an imported password needs. */
import { piFraction } from "./pi-fraction.ts";

const rounds = 16;
const subkeys = rounds + 2;
const boxWords = 1024;

/** Words are signed, since the engine adds and shifts those without leaving 32 bits. */
const initial = Int32Array.from({ length: subkeys + boxWords }, (_, index) => {
  const view = new DataView(piFraction.buffer, piFraction.byteOffset, piFraction.byteLength);
  return view.getInt32(index * 4);
});

export class Blowfish {
  readonly #subkeys = initial.slice(0, subkeys);
  readonly #boxes = initial.slice(subkeys);

  /** Mixes the key into the state, and encrypts the state with itself and the salt of four words, if there is one. */
  expand(key: Int32Array, salt?: Int32Array): void {
    const schedule = this.#subkeys;
    for (let i = 0; i < subkeys; i++) schedule[i]! ^= key[i]!;
    const block = new Int32Array(2);
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
  encrypt(block: Int32Array): void {
    const schedule = this.#subkeys;
    const boxes = this.#boxes;
    let left = block[0]!;
    let right = block[1]!;
    // Two rounds at a time, so that the halves need not be swapped.
    for (let round = 0; round < rounds; round += 2) {
      left ^= schedule[round]!;
      right ^= mix(left, boxes) ^ schedule[round + 1]!;
      left ^= mix(right, boxes);
    }
    block[0] = right ^ schedule[rounds + 1]!;
    block[1] = left ^ schedule[rounds]!;
  }
}

const mix = (word: number, boxes: Int32Array): number =>
  (((boxes[word >>> 24]! + boxes[256 + ((word >>> 16) & 255)]!) ^ boxes[512 + ((word >>> 8) & 255)]!) +
    boxes[768 + (word & 255)]!) |
  0;

/** A key as the eighteen words that a key schedule takes: its bytes, again and again. */
export function keyWords(key: Uint8Array): Int32Array {
  let at = 0;
  return Int32Array.from({ length: subkeys }, () => {
    let word = 0;
    for (let i = 0; i < 4; i++, at++) word = (word << 8) | key[at % key.length]!;
    return word;
  });
}
