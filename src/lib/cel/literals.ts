/** What the literals of a text stand for. */
import { maximumInt, maximumUint, minimumInt, Uint } from "./values.ts";

/** The message says what is wrong with the literal. */
export class LiteralError extends Error {
  override readonly name = "LiteralError";
}

export function readInt(text: string): bigint {
  const isNegative = text.startsWith("-");
  const magnitude = BigInt(isNegative ? text.slice(1) : text);
  const value = isNegative ? -magnitude : magnitude;
  if (value < minimumInt || value > maximumInt) throw new LiteralError("invalid int literal");
  return value;
}

export function readUint(text: string): Uint {
  const value = BigInt(text.slice(0, -1));
  if (value > maximumUint) throw new LiteralError("invalid uint literal");
  return new Uint(value);
}

export function readDouble(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new LiteralError("invalid double literal");
  return value;
}

const simpleEscapes = new Map([
  ["a", 7],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
  ["\\", 92],
  ["'", 39],
  ['"', 34],
  ["`", 96],
  ["?", 63],
]);

const hexLengths = new Map([
  ["x", 2],
  ["X", 2],
  ["u", 4],
  ["U", 8],
]);

interface Body {
  readonly text: string;
  readonly isRaw: boolean;
}

export function readString(written: string): string {
  const { text, isRaw } = body(written);
  if (isRaw) return text;
  return readEscapes(text, (literal) => literal, codePointText).join("");
}

export function readBytes(written: string): Uint8Array {
  const { text, isRaw } = body(written);
  if (isRaw) return Buffer.from(text);
  const parts = readEscapes<Uint8Array>(text, (literal) => Buffer.from(literal), byte);
  return new Uint8Array(Buffer.concat(parts));
}

function body(written: string): Body {
  const prefix = /^[bBrR]*/.exec(written)![0];
  const rest = written.slice(prefix.length);
  const quotes = rest.startsWith('"""') || rest.startsWith("'''") ? 3 : 1;
  // Line ends are one line feed, whatever the file was saved with.
  const text = rest.slice(quotes, rest.length - quotes).replaceAll(/\r\n?/g, "\n");
  return { text, isRaw: /[rR]/.test(prefix) };
}

/** Text between escapes goes through `literal`; an escape's number, and whether it names a character, through `code`. */
function readEscapes<Part>(
  text: string,
  literal: (text: string) => Part,
  code: (value: number, letter: string) => Part,
): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", from)) {
    if (at > from) parts.push(literal(text.slice(from, at)));
    const { value, letter, length } = escapeAt(text, at + 1);
    parts.push(code(value, letter));
    from = at + 1 + length;
  }
  if (from < text.length) parts.push(literal(text.slice(from)));
  return parts;
}

function escapeAt(text: string, at: number): { value: number; letter: string; length: number } {
  const letter = text[at] ?? "";
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, letter, length: 1 };
  const hexLength = hexLengths.get(letter);
  if (hexLength !== undefined) {
    const digits = text.slice(at + 1, at + 1 + hexLength);
    if (digits.length < hexLength || !/^[0-9a-fA-F]+$/.test(digits))
      throw new LiteralError("unable to unescape string");
    return { value: Number.parseInt(digits, 16), letter, length: 1 + hexLength };
  }
  const octal = text.slice(at, at + 3);
  if (!/^[0-3][0-7]{2}$/.test(octal)) throw new LiteralError("unable to unescape string");
  return { value: Number.parseInt(octal, 8), letter: "x", length: 3 };
}

function codePointText(value: number): string {
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) throw new LiteralError("invalid unicode code point");
  return String.fromCodePoint(value);
}

function byte(value: number, letter: string): Uint8Array {
  if (letter === "u" || letter === "U") throw new LiteralError("unable to unescape string");
  return Uint8Array.of(value);
}
