/** Reads DER strictly, level by level, so that no depth of nesting costs anything until somebody looks inside. */
import { DerError } from "./der-error.ts";
import { decodeObjectIdentifier } from "./object-identifier.ts";
import { tags } from "./tags.ts";

export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** With its tag and length. */
  readonly whole: Uint8Array;
}

/** The one element that these bytes are. */
export function readElement(bytes: Uint8Array): Element {
  const element = elementAt(bytes, 0);
  if (element.whole.length !== bytes.length) throw new DerError("there are bytes behind the end");
  return element;
}

/** The elements that these bytes are one after the other. */
export function readElements(bytes: Uint8Array): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    elements.push(element);
    at += element.whole.length;
  }
  return elements;
}

/** As they are asked for: for long lists. */
export function* eachElement(bytes: Uint8Array): Generator<Element, void, undefined> {
  for (let at = 0; at < bytes.length; ) {
    const element = elementAt(bytes, at);
    yield element;
    at += element.whole.length;
  }
}

/** The members of a sequence (or of what has that tag in its place). */
export function membersOf(element: Element | undefined, tag: number = tags.sequence): Element[] {
  return readElements(expectTag(element, tag).content);
}

export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new DerError(`expected an element with tag ${tag}`);
  return element;
}

export function integerOf(element: Element | undefined, tag: number = tags.integer): bigint {
  const { content } = expectTag(element, tag);
  const [first, second] = content;
  if (first === undefined) throw new DerError("an integer is empty");
  if (content.length > mostIntegerBytes) throw new DerError("an integer is too long");
  if (second !== undefined && (first === 0 ? second < 0x80 : first === 0xff && second >= 0x80)) {
    throw new DerError("an integer is not written in its shortest form");
  }
  return BigInt.asIntN(content.length * 8, BigInt(`0x${bufferOf(content).toString("hex")}`));
}

/** An integer that is small by nature: a version, a length of a path, a code. */
export function smallIntegerOf(element: Element | undefined, tag: number = tags.integer): number {
  const value = integerOf(element, tag);
  if (value < 0n || value > 0x7fff_ffffn) throw new DerError("an integer is out of range");
  return Number(value);
}

export function booleanOf(element: Element | undefined, tag: number = tags.boolean): boolean {
  const { content } = expectTag(element, tag);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerError("a boolean is malformed");
  return content[0] === 0xff;
}

/** In dotted form. */
export const objectIdentifierOf = (element: Element | undefined): string =>
  decodeObjectIdentifier(expectTag(element, tags.objectIdentifier).content);

export const octetsOf = (element: Element | undefined): Uint8Array => expectTag(element, tags.octetString).content;

/** The bytes of a bit string that must be made of whole bytes. */
export function bitStringBytesOf(element: Element | undefined): Uint8Array {
  const { content } = expectTag(element, tags.bitString);
  if (content[0] !== 0) throw new DerError("a bit string is not made of whole bytes");
  return content.subarray(1);
}

/** The numbers of the bits that are set. */
export function namedBitsOf(element: Element | undefined, tag: number = tags.bitString): number[] {
  const { content } = expectTag(element, tag);
  const unused = content[0];
  if (unused === undefined || unused > 7 || content.length > 9 || (content.length === 1 && unused > 0)) {
    throw new DerError("a bit string is malformed");
  }
  if (content.length > 1 && content.at(-1)! & ((1 << unused) - 1)) throw new DerError("unused bits are not zero");
  const bits: number[] = [];
  for (let bit = 0; bit < (content.length - 1) * 8; bit++) {
    if (content[1 + (bit >> 3)]! & (0x80 >> (bit & 7))) bits.push(bit);
  }
  return bits;
}

/** A view of the same memory that can be turned into text. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** RSA moduli of 16384 bits, and some. Conversion to a number takes more than linear time. */
const mostIntegerBytes = 2112;

function elementAt(bytes: Uint8Array, at: number): Element {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new DerError("the bytes end too early");
  if ((tag & 0x1f) === 0x1f) throw new DerError("large tags are not supported");
  const size = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || size > 4) throw new DerError("a length is not definite, or too large");
  let length = size === 0 ? first : 0;
  for (let i = 0; i < size; i++) length = length * 256 + (bytes[at + 2 + i] ?? Number.NaN);
  const start = at + 2 + size;
  const end = start + length;
  if (!(end <= bytes.length)) throw new DerError("the bytes end too early");
  if (size > 0 && (length < 0x80 || bytes[at + 2] === 0)) {
    throw new DerError("a length is not written in its shortest form");
  }
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}
