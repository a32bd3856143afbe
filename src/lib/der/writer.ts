/** Writes DER: each function returns the bytes of one whole element. */
import { encodeObjectIdentifier } from "./object-identifier.ts";
import { constructed, primitive, tags } from "./tags.ts";

export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const header = lengthSize(length) + 1;
  const bytes = Buffer.allocUnsafe(header + length);
  bytes[0] = tag;
  writeLength(bytes, header, length);
  let at = header;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Tag and length of an element whose content of that many bytes comes from elsewhere. */
export function elementHeader(tag: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(lengthSize(length) + 1);
  bytes[0] = tag;
  writeLength(bytes, bytes.length, length);
  return bytes;
}

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => element(tags.sequence, ...parts);

/** DER wants the members of a set in the order of their bytes. */
export const setOf = (...parts: readonly Uint8Array[]): Uint8Array =>
  element(tags.set, ...[...parts].sort((a, b) => Buffer.compare(a, b)));

/** `[n]` around whole elements. */
export const explicit = (number: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  element(constructed(number), ...parts);

/** `[n]` in place of a primitive element's own tag. */
export const implicit = (number: number, content: Uint8Array): Uint8Array => element(primitive(number), content);

export const octetString = (content: Uint8Array): Uint8Array => element(tags.octetString, content);

const noUnusedBits = Uint8Array.of(0);

export const bitString = (content: Uint8Array): Uint8Array => element(tags.bitString, noUnusedBits, content);

/** A list of named bits, first bit first; zeros at the end are left out. */
export function namedBits(bits: readonly boolean[]): Uint8Array {
  const count = bits.lastIndexOf(true) + 1;
  const bytes = new Uint8Array(1 + Math.ceil(count / 8));
  bytes[0] = (8 - (count % 8)) % 8;
  for (let bit = 0; bit < count; bit++) if (bits[bit]) bytes[1 + (bit >> 3)]! |= 0x80 >> (bit & 7);
  return element(tags.bitString, bytes);
}

export const boolean = (value: boolean): Uint8Array => element(tags.boolean, Uint8Array.of(value ? 0xff : 0));

export const integer = (value: bigint | number): Uint8Array => element(tags.integer, integerContent(value));

export const enumerated = (value: number): Uint8Array => element(tags.enumerated, integerContent(value));

/** Two's complement in as few bytes as possible. */
function integerContent(value: bigint | number): Uint8Array {
  if (value >= 0 && value < 128) return Uint8Array.of(Number(value));
  let rest = BigInt(value);
  if (rest < 0n) {
    let size = 1;
    while (rest < -(1n << BigInt(8 * size - 1))) size += 1;
    rest = BigInt.asUintN(8 * size, rest);
    return Buffer.from(rest.toString(16).padStart(2 * size, "0"), "hex");
  }
  const hex = rest.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  // A first bit that is set would make it negative.
  return Buffer.from(even.charCodeAt(0) >= 0x38 ? `00${even}` : even, "hex");
}

export const objectIdentifier = (text: string): Uint8Array =>
  element(tags.objectIdentifier, encodeObjectIdentifier(text));

export const nothing: Uint8Array = element(tags.null);

export const utf8String = (text: string): Uint8Array => element(tags.utf8String, Buffer.from(text, "utf8"));

export const ia5String = (text: string): Uint8Array => element(tags.ia5String, Buffer.from(text, "latin1"));

function lengthSize(length: number): number {
  if (length < 0x80) return 1;
  if (length < 0x100) return 2;
  if (length < 0x1_0000) return 3;
  return length < 0x100_0000 ? 4 : 5;
}

/** Fills the bytes between the tag and `end`. */
function writeLength(bytes: Uint8Array, end: number, length: number): void {
  if (end === 2) {
    bytes[1] = length;
    return;
  }
  bytes[1] = 0x80 | (end - 2);
  for (let at = end - 1, rest = length; at > 1; at--, rest = Math.floor(rest / 256)) bytes[at] = rest & 0xff;
}
