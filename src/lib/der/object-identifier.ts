/** Object identifiers between their dotted text and their bytes. */
import { DerError } from "./der-error.ts";

/** More than any identifier in use has; longer ones only cost time. */
const longestContent = 64;
const longestText = 256;

export function isObjectIdentifier(text: string): boolean {
  if (text.length > longestText || !/^[0-2](\.(0|[1-9]\d*))+$/.test(text)) return false;
  const [first = "", second = ""] = text.split(".", 2);
  return first === "2" || (second.length <= 2 && Number(second) < 40);
}

/** The content of the element, without tag and length. */
export function encodeObjectIdentifier(text: string): Uint8Array {
  if (!isObjectIdentifier(text))
    throw new DerError(`${JSON.stringify(text.slice(0, 100))} is not an object identifier`);
  const [first, second, ...rest] = text.split(".").map(BigInt) as [bigint, bigint, ...bigint[]];
  const bytes: number[] = [];
  for (const arc of [first * 40n + second, ...rest]) appendArc(bytes, arc);
  if (bytes.length > longestContent) throw new DerError("an object identifier is too long");
  return Uint8Array.from(bytes);
}

export function decodeObjectIdentifier(content: Uint8Array): string {
  if (content.length === 0 || content.length > longestContent) {
    throw new DerError("an object identifier is empty or too long");
  }
  if (content.at(-1)! & 0x80) throw new DerError("an object identifier ends too early");
  let text = "";
  for (let at = 0; at < content.length; ) {
    let end = at;
    while (content[end]! & 0x80) end += 1;
    if (content[at] === 0x80) throw new DerError("an object identifier is not written in its shortest form");
    const arc = end - at < 6 ? smallArc(content, at, end) : largeArc(content, at, end);
    text += at === 0 ? firstArcs(arc) : `.${arc}`;
    at = end + 1;
  }
  return text;
}

function appendArc(bytes: number[], arc: bigint): void {
  const groups: number[] = [Number(arc & 0x7fn)];
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) groups.unshift(Number(rest & 0x7fn) | 0x80);
  bytes.push(...groups);
}

/** Up to 42 bits fit a number exactly. */
function smallArc(content: Uint8Array, start: number, end: number): number {
  let arc = 0;
  for (let at = start; at <= end; at++) arc = arc * 128 + (content[at]! & 0x7f);
  return arc;
}

function largeArc(content: Uint8Array, start: number, end: number): bigint {
  let arc = 0n;
  for (let at = start; at <= end; at++) arc = (arc << 7n) | BigInt(content[at]! & 0x7f);
  return arc;
}

/** The first byte group holds two arcs. */
function firstArcs(joined: number | bigint): string {
  if (joined < 40) return `0.${joined}`;
  if (joined < 80) return `1.${Number(joined) - 40}`;
  return `2.${typeof joined === "bigint" ? joined - 80n : joined - 80}`;
}
