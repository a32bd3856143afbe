/** More about text: cutting, searching, joining and formatting. Positions count code points. */
import { type Implementation, type Library, overload } from "../declarations.ts";
import { EvaluationError, noSuchOverload } from "../errors.ts";
import type { Meter } from "../limits.ts";
import type { Value } from "../values.ts";
import { format, validateFormat } from "./format.ts";

const outOfRange = (index: bigint): EvaluationError => new EvaluationError(`index out of range: ${index}`);

/** Nearly all text is such that units are code points; then nothing need be taken apart. */
const isPlain = (text: string): boolean => /^[\0-\ud7ff]*$/.test(text);

const pointsOf = (text: string): string | string[] => (isPlain(text) ? text : [...text]);

const sliceOf = (points: string | string[], start: number, end?: number): string => {
  const part = points.slice(start, end);
  return typeof part === "string" ? part : part.join("");
};

function charAt(_: Meter, text: string, index: bigint): string {
  const points = pointsOf(text);
  if (index < 0n || index > BigInt(points.length)) throw outOfRange(index);
  return points[Number(index)] ?? "";
}

function substring(meter: Meter, text: string, start: bigint, end?: bigint): string {
  meter.chargeText(text.length);
  const points = pointsOf(text);
  const size = BigInt(points.length);
  if (end !== undefined && start > end) {
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > size) throw outOfRange(start);
  if (end !== undefined && (end < 0n || end > size)) throw outOfRange(end);
  return sliceOf(points, Number(start), end === undefined ? undefined : Number(end));
}

/** Position in code points of a position in units. */
const pointIndex = (text: string, at: number): bigint => (at < 0 ? -1n : BigInt([...text.slice(0, at)].length));

function indexOf(meter: Meter, text: string, part: string, from?: bigint): bigint {
  meter.chargeReading(text.length + part.length);
  const points = pointsOf(text);
  if (part === "") return from ?? 0n;
  if (from !== undefined && (from < 0n || (text !== "" && from > BigInt(points.length)))) throw outOfRange(from);
  const start = sliceOf(points, 0, Number(from ?? 0n)).length;
  return pointIndex(text, text.indexOf(part, start));
}

function lastIndexOf(meter: Meter, text: string, part: string, from?: bigint): bigint {
  meter.chargeReading(text.length + part.length);
  const points = pointsOf(text);
  const size = BigInt(points.length);
  if (part === "") return from ?? size;
  if (from !== undefined && (from < 0n || (text !== "" && from >= size))) throw outOfRange(from);
  const start = from === undefined ? undefined : sliceOf(points, 0, Number(from)).length;
  return pointIndex(text, text.lastIndexOf(part, start));
}

/** A negative limit means none. */
function split(meter: Meter, text: string, separator: string, limit = -1n): Value {
  meter.chargeText(text.length);
  if (limit === 0n) return [];
  if (limit === 1n && (text !== "" || separator !== "")) return [text];
  const parts = separator === "" ? [...text] : text.split(separator);
  meter.chargeElements(parts.length);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function replace(meter: Meter, text: string, part: string, replacement: string, limit = -1n): string {
  meter.chargeReading(text.length);
  if (limit === 0n) return text;
  // An empty part stands before every character, and at the end.
  const pieces = part === "" ? ["", ...text, ""] : text.split(part);
  meter.charge(pieces.length / 8);
  const count = limit < 0n ? pieces.length - 1 : Math.min(Number(limit), pieces.length - 1);
  meter.chargeText(text.length + count * replacement.length);
  if (count === pieces.length - 1) return pieces.join(replacement);
  return pieces.slice(0, count + 1).join(replacement) + rejoin(pieces.slice(count + 1), part);
}

const rejoin = (pieces: readonly string[], part: string): string => pieces.map((piece) => part + piece).join("");

function join(meter: Meter, list: readonly Value[], separator = ""): string {
  let length = separator.length * Math.max(0, list.length - 1);
  for (const element of list) {
    if (typeof element !== "string") throw noSuchOverload();
    length += element.length;
  }
  meter.charge(list.length / 8);
  meter.chargeText(length);
  return list.join(separator);
}

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(meter: Meter, text: string): string {
  meter.chargeText(text.length * 2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped.
  return `"${text.toWellFormed().replaceAll(/[\x07-\r\\"]/g, (character) => escapes[character]!)}"`;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const lowerLetters = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
const upperLetters = (text: string): string => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());

/** What Unicode calls white space. JavaScript's own `trim` has the byte order mark for it, but not U+0085. */
const whiteSpace = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && whiteSpace.test(text[start]!)) start++;
  while (end > start && whiteSpace.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** What does no more than copy the text. */
const copying =
  (change: (text: string) => string): Implementation =>
  (meter, text: string) => {
    meter.chargeText(text.length);
    return change(text);
  };

export const stringsLibrary: Library = {
  overloads: [
    overload("string_char_at_int", "string.charAt(int) -> string", charAt),
    overload("string_index_of_string", "string.indexOf(string) -> int", indexOf),
    overload("string_index_of_string_int", "string.indexOf(string, int) -> int", indexOf),
    overload("string_last_index_of_string", "string.lastIndexOf(string) -> int", lastIndexOf),
    overload("string_last_index_of_string_int", "string.lastIndexOf(string, int) -> int", lastIndexOf),
    overload(
      "string_lower_ascii",
      "string.lowerAscii() -> string",
      copying((text) => (isAscii(text) ? text.toLowerCase() : lowerLetters(text))),
    ),
    overload("string_replace_string_string", "string.replace(string, string) -> string", replace),
    overload("string_replace_string_string_int", "string.replace(string, string, int) -> string", replace),
    overload("string_split_string", "string.split(string) -> list(string)", split),
    overload("string_split_string_int", "string.split(string, int) -> list(string)", split),
    overload("string_substring_int", "string.substring(int) -> string", substring),
    overload("string_substring_int_int", "string.substring(int, int) -> string", substring),
    overload("string_trim", "string.trim() -> string", copying(trim)),
    overload(
      "string_upper_ascii",
      "string.upperAscii() -> string",
      copying((text) => (isAscii(text) ? text.toUpperCase() : upperLetters(text))),
    ),
    overload("string_format", "string.format(list(dyn)) -> string", format),
    overload("strings_quote", "strings.quote(string) -> string", quote),
    overload("list_join", "list(string).join() -> string", join),
    overload("list_join_string", "list(string).join(string) -> string", join),
    overload(
      "string_reverse",
      "string.reverse() -> string",
      copying((text) => [...text].reverse().join("")),
    ),
  ],
  validate: validateFormat,
};
