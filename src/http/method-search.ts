/** Finds where in a stretch of bytes the methods LIST and SCAN could stand. */

/** As on a request line: a method ends with a space. */
const words = ["LIST ", "SCAN "].map((word) => Buffer.from(word, "latin1"));

/** What both words are long, and the search relies on. */
export const wordLength = 5;

const isLetter = new Uint8Array(256);
for (const word of words) for (const byte of word) isLetter[byte] = 1;

/**
 * The first place from `from` on where one of the words stands, or where the bytes end in the middle of one; else -1.
 *
 * Every request passes here, so it looks at one byte in five only: whatever five bytes a word covers, one of them is
 * looked at.
 */
export function findWord(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  for (let probe = from + wordLength - 1; probe < length; probe += wordLength) {
    if (isLetter[bytes[probe]!] === 0) continue;
    for (let at = probe - wordLength + 1; at <= probe; at++) if (wordAt(bytes, at)) return at;
  }
  if (length > from && isLetter[bytes[length - 1]!] === 1) {
    for (let at = Math.max(from, length - wordLength + 1); at < length; at++) if (wordAt(bytes, at)) return at;
  }
  return -1;
}

function wordAt(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at];
  for (const word of words) if (word[0] === first && startsWith(bytes, at, word)) return true;
  return false;
}

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  const end = Math.min(wordLength, bytes.length - at);
  for (let i = 1; i < end; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}
