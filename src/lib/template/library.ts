/** The functions that templates may call. `and` and `or` are not here: they do not look at all of their arguments. */
import { createHash } from "node:crypto";
import { randomBase62 } from "../base62.ts";
import { globMatches } from "../glob.ts";
import { randomUuid } from "../random-name.ts";
import { compare, isEqual } from "./comparison.ts";
import { FunctionError } from "./error.ts";
import { escapeHtml, escapeJavaScript, escapeQuery } from "./escaping.ts";
import { printf } from "./printf.ts";
import { timeText } from "./time-layout.ts";
import { isList, isMap, isTrue, textOf, typeName, type Value } from "./value.ts";

/** What differs from one rendering to the next. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly clock: { now(): number };
  readonly random: { bytes(count: number): Uint8Array };
}

interface TemplateFunction {
  readonly least: number;
  readonly most: number;
  call(values: readonly Value[], surroundings: Surroundings): Value;
}

const longestRandom = 10_000;

function takes(
  least: number,
  most: number,
  call: (values: readonly Value[], surroundings: Surroundings) => Value,
): TemplateFunction {
  return { least, most, call };
}

const texts = (count: number, call: (...values: string[]) => Value) =>
  takes(count, count, (values) => call(...values.map(textArgument)));

const ordered = (holds: (order: number) => boolean) => takes(2, 2, ([left, right]) => holds(compare(left!, right!)));

const any = Number.POSITIVE_INFINITY;

export const library: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.entries({
    not: takes(1, 1, ([value]) => !isTrue(value!)),
    eq: takes(2, any, ([first, ...others]) => others.some((other) => isEqual(first!, other))),
    ne: takes(2, 2, ([left, right]) => !isEqual(left!, right!)),
    lt: ordered((order) => order < 0),
    le: ordered((order) => order <= 0),
    gt: ordered((order) => order > 0),
    ge: ordered((order) => order >= 0),
    len: takes(1, 1, ([value]) => BigInt(lengthOf(value!))),
    index: takes(1, any, ([value, ...keys]) => keys.reduce(member, value!)),
    slice: takes(1, 3, ([value, from, to]) => sliced(value!, from, to)),
    print: takes(0, any, (values) => printed(values)),
    println: takes(0, any, (values) => `${values.map(textOf).join(" ")}\n`),
    printf: takes(1, any, ([format, ...values]) => printf(textArgument(format!), values)),
    html: takes(0, any, (values) => escapeHtml(printed(values))),
    js: takes(0, any, (values) => escapeJavaScript(printed(values))),
    urlquery: takes(0, any, (values) => escapeQuery(printed(values))),
    random: takes(1, 1, ([length], { random }) => randomBase62(randomLength(length!), random)),
    truncate: takes(2, 2, ([length, text]) => truncated(positive(length!), textArgument(text!))),
    truncate_sha256: takes(2, 2, ([length, text]) => truncatedWithHash(wholeNumber(length!), textArgument(text!))),
    uppercase: texts(1, (text) => text.toUpperCase()),
    lowercase: texts(1, (text) => text.toLowerCase()),
    replace: texts(3, replaced),
    sha256: texts(1, (text) => sha256(Buffer.from(text, "utf8"))),
    base64: texts(1, (text) => Buffer.from(text, "utf8").toString("base64")),
    decode_base64: texts(1, (text) => decoded(text, "base64")),
    hex: texts(1, (text) => Buffer.from(text, "utf8").toString("hex")),
    decode_hex: texts(1, (text) => decoded(text, "hex")),
    unix_time: takes(0, 0, (_, { clock }) => String(Math.floor(clock.now() / 1000))),
    unix_time_millis: takes(0, 0, (_, { clock }) => String(clock.now())),
    timestamp: takes(1, 1, ([layout], { clock }) => timeText(clock.now(), textArgument(layout!))),
    uuid: takes(0, 0, (_, { random }) => randomUuid(random)),
    glob: texts(2, (pattern, text) => globMatches(pattern, text)),
  }),
);

function textArgument(value: Value): string {
  if (typeof value === "string") return value;
  throw new FunctionError(`expected a string; found a value of type ${typeName(value)}`);
}

function wholeNumber(value: Value): number {
  const number = Number(value);
  if ((typeof value === "bigint" || typeof value === "number") && Number.isSafeInteger(number)) return number;
  throw new FunctionError(`expected an integer; found a value of type ${typeName(value)}`);
}

function positive(value: Value): number {
  const number = wholeNumber(value);
  if (number <= 0) throw new FunctionError(`max length must be > 0 but was ${number}`);
  return number;
}

function randomLength(value: Value): number {
  const length = positive(value);
  if (length > longestRandom) throw new FunctionError(`at most ${longestRandom} random characters`);
  return length;
}

const longestReplacement = 1_048_576;

/** The length is known before the text is made: two short texts can ask for gigabytes. */
function replaced(from: string, to: string, text: string): string {
  const pieces = text.split(from);
  if (pieces.length * to.length > longestReplacement) {
    throw new FunctionError(`a replacement makes at most ${longestReplacement} characters`);
  }
  return pieces.join(to);
}

/** Between values that are both no strings stands a space. */
function printed(values: readonly Value[]): string {
  let text = "";
  for (const [index, value] of values.entries()) {
    if (index > 0 && typeof value !== "string" && typeof values[index - 1] !== "string") text += " ";
    text += textOf(value);
  }
  return text;
}

function lengthOf(value: Value): number {
  if (typeof value === "string") return Buffer.byteLength(value, "utf8");
  if (isList(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  throw new FunctionError(`len of a value of type ${typeName(value)}`);
}

/** A key that is not in a map gives nil, which is how a template asks whether it is there. */
function member(value: Value, key: Value): Value {
  if (isMap(value)) {
    const name = textArgument(key);
    return Object.hasOwn(value, name) ? value[name]! : null;
  }
  if (isList(value)) return value[indexWithin(key, value.length)]!;
  if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    return BigInt(bytes[indexWithin(key, bytes.length)]!);
  }
  throw new FunctionError(value === null ? "index of nil" : `cannot index a value of type ${typeName(value)}`);
}

function indexWithin(key: Value, length: number): number {
  const index = wholeNumber(key);
  if (index < 0 || index >= length) throw new FunctionError(`index out of range: ${index}`);
  return index;
}

function sliced(value: Value, from: Value | undefined, to: Value | undefined): Value {
  if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    return bytes.subarray(...bounds(bytes.length, from, to)).toString("utf8");
  }
  if (isList(value)) return value.slice(...bounds(value.length, from, to));
  throw new FunctionError(`cannot slice a value of type ${typeName(value)}`);
}

function bounds(length: number, from: Value | undefined, to: Value | undefined): [number, number] {
  const start = from === undefined ? 0 : wholeNumber(from);
  const end = to === undefined ? length : wholeNumber(to);
  if (start < 0 || end > length || start > end) throw new FunctionError(`slice out of range: ${start}:${end}`);
  return [start, end];
}

/** Lengths count bytes; a character that would be cut in two is left away. */
function truncated(length: number, text: string): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= length) return text;
  let end = length;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString("utf8");
}

const hashDigits = 8;

/** What is cut off is told apart by the beginning of its hash. */
function truncatedWithHash(length: number, text: string): string {
  if (length <= hashDigits) throw new FunctionError(`max length must be > ${hashDigits} but was ${length}`);
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= length) return text;
  const head = truncated(length - hashDigits, text);
  return head + sha256(bytes.subarray(length - hashDigits)).slice(0, hashDigits);
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function decoded(text: string, encoding: "base64" | "hex"): string {
  const bytes = Buffer.from(text, encoding);
  const again = bytes.toString(encoding);
  if (again !== (encoding === "hex" ? text.toLowerCase() : text)) throw new FunctionError(`not valid ${encoding}`);
  return bytes.toString("utf8");
}
