/** Serial numbers of certificates: made, and written as text in the way that operators see them (`0a:1b:2c`). */

const size = 20;

/** A random positive number below 2^159, so that its DER has at most 20 bytes (RFC 5280, 4.1.2.2). */
export function randomSerial(random: (size: number) => Uint8Array): bigint {
  const bytes = Buffer.from(random(size));
  bytes[0]! &= 0x7f;
  const serial = BigInt(`0x${bytes.toString("hex")}`);
  return serial === 0n ? 1n : serial;
}

/** Lower-case hexadecimal octets with colons between them; a negative number appears without its sign. */
export function serialText(serial: bigint): string {
  const hex = (serial < 0n ? -serial : serial).toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  let text = even.slice(0, 2);
  for (let at = 2; at < even.length; at += 2) text += `:${even.slice(at, at + 2)}`;
  return text;
}

/** More than any serial number in use has. */
const longestText = 256;

/** Accepts colons, hyphens or nothing between octets, in any case. Undefined for anything else. */
export function parseSerialText(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestText) return undefined;
  if (/^[\da-f]+$/i.test(trimmed)) return BigInt(`0x${trimmed}`);
  if (!/^[\da-f]{1,2}([:-][\da-f]{1,2})*$/i.test(trimmed)) return undefined;
  return BigInt(`0x${trimmed.split(/[:-]/).map(octet).join("")}`);
}

const octet = (hex: string): string => (hex.length === 1 ? `0${hex}` : hex);
