/** Random text of letters and digits, without bias. */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: values above it would favor the first letters. */
const fair = 248;

/** One letter for each byte: for names, not for secrets, since the first letters are a little more frequent. */
export function base62Letters(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += alphabet[byte % 62];
  return text;
}

export function randomBase62(length: number, random: { bytes(count: number): Uint8Array }): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length + 8)) {
      if (byte < fair && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}
