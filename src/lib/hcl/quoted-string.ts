/** Strings in double quotes: escapes are resolved, `${…}` stays as it is. */
import type { Source } from "./source.ts";

interface QuotedString {
  readonly value: string;
  readonly end: number;
}

const simpleEscapes: Record<string, string> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

const hexDigits: Record<string, number> = { x: 2, u: 4, U: 8 };

/** Reads the string whose opening quote is at `start`. */
export function scanQuotedString(source: Source, start: number): QuotedString {
  const { text } = source;
  let value = "";
  let copied = start + 1;
  let at = copied;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') return { value: value + text.slice(copied, at), end: at + 1 };
    if (character === "\n") break;
    if (character === "\\") {
      const escaped = scanEscape(source, at);
      value += text.slice(copied, at) + escaped.value;
      at = copied = escaped.end;
    } else if (character === "$" && text[at + 1] === "{") {
      at = skipInterpolation(source, at, start);
    } else {
      at++;
    }
  }
  throw notClosed(source, start);
}

function scanEscape(source: Source, start: number): QuotedString {
  const { text } = source;
  const letter = text[start + 1] ?? "";
  const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
  if (simple !== undefined) return { value: simple, end: start + 2 };
  if (Object.hasOwn(hexDigits, letter)) return scanCode(source, start, start + 2, hexDigits[letter]!, 16);
  if (letter >= "0" && letter <= "7") return scanCode(source, start, start + 1, 3, 8);
  throw source.error('unknown escape in a string: allowed are \\" \\\\ \\n \\t \\r \\a \\b \\f \\v \\x \\u \\U', start);
}

function scanCode(source: Source, start: number, from: number, length: number, base: 8 | 16): QuotedString {
  const digits = source.text.slice(from, from + length);
  const code = isNumber(digits, length, base) ? Number.parseInt(digits, base) : undefined;
  if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw source.error("the escape in this string does not name a character", start);
  }
  // Elsewhere these two forms give single bytes, which above 127 are no text.
  if (length < 4 && code > 0x7f) {
    throw source.error("this escape can only name characters up to 127: use \\u for the others", start);
  }
  return { value: String.fromCodePoint(code), end: from + length };
}

function isNumber(digits: string, length: number, base: 8 | 16): boolean {
  return digits.length === length && (base === 8 ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/).test(digits);
}

/** Inside `${…}` quotes do not end the string, and braces pair up. */
function skipInterpolation(source: Source, start: number, stringStart: number): number {
  const { text } = source;
  let open = 1;
  for (let at = start + 2; at < text.length; at++) {
    if (text[at] === "{") open++;
    else if (text[at] === "}") open--;
    if (open === 0) return at + 1;
  }
  throw notClosed(source, stringStart);
}

const notClosed = (source: Source, start: number) => source.error("the string is not closed", start);
