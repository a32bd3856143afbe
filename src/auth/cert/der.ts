/** Reads DER as far as certificates and revocation lists need it: definite lengths and small tags, level by level. */

export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** With its tag and length. */
  readonly whole: Uint8Array;
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export class DerError extends Error {
  override readonly name = "DerError";
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

/** The members of a sequence. */
export function membersOf(element: Element | undefined): Element[] {
  return readElements(expectTag(element, tags.sequence).content);
}

export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new DerError(`expected an element with tag ${tag}`);
  return element;
}

export function integerOf(element: Element | undefined): bigint {
  const { content } = expectTag(element, tags.integer);
  if (content.length === 0) throw new DerError("an integer is empty");
  return BigInt.asIntN(content.length * 8, BigInt(`0x${Buffer.from(content).toString("hex")}`));
}

/** In dotted form. */
export function objectIdentifierOf(element: Element | undefined): string {
  const { content } = expectTag(element, tags.objectIdentifier);
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    if (byte & 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [joined = 0n, ...rest] = arcs;
  const first = joined < 40n ? 0n : joined < 80n ? 1n : 2n;
  return [first, joined - first * 40n, ...rest].join(".");
}

/** The text of any of the string types that names and extensions use; undefined for anything else. */
export function stringOf({ tag, content }: Element): string | undefined {
  const bytes = Buffer.from(content);
  if (tag === 0x0c) return bytes.toString("utf8");
  // NumericString, PrintableString, TeletexString, IA5String, VisibleString.
  if ([0x12, 0x13, 0x14, 0x16, 0x1a].includes(tag)) return bytes.toString("latin1");
  if (tag === 0x1e && bytes.length % 2 === 0) return bytes.swap16().toString("utf16le");
  return undefined;
}

function elementAt(bytes: Uint8Array, at: number): Element {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new DerError("the bytes end too early");
  if ((tag & 0x1f) === 0x1f) throw new DerError("large tags are not supported");
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthBytes > 4) throw new DerError("a length is not definite, or too large");
  let length = lengthBytes === 0 ? first : 0;
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? Number.NaN);
  const start = at + 2 + lengthBytes;
  const end = start + length;
  if (!(end <= bytes.length)) throw new DerError("the bytes end too early");
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) };
}
