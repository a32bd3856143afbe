/** The kinds of values that settings take. All are weakly typed, as operators know it: `"true"` is true, `"5"` is 5. */
import { DurationError, formatDuration, parseDuration, parseDurationMilliseconds } from "../lib/duration.ts";
import { HclError } from "../lib/hcl/error.ts";
import { describeValue, type Value } from "../lib/hcl/syntax-tree.ts";
import { Setting } from "./setting.ts";

/** What a timer of the runtime can wait for: 2^31 - 1 milliseconds. */
const longestTimeout = 2_147_483_647;

/** Its value is never shown, since it may be a secret. An empty one counts as not set, here and in most kinds. */
export const text = (description: string) =>
  Setting.of("string", description, (value) => (isEmpty(value) ? undefined : readText(value)));

export const flag = (description: string) => Setting.of("boolean", description, readFlag);

export function integer(description: string, { least, most }: { least: number; most: number }) {
  return Setting.of("integer", description, (value) => {
    const number = readInteger(value);
    if (number >= least && number <= most) return number;
    throw new HclError(`must be from ${least} to ${most}`, value.position);
  });
}

/** A bound on something: 0 means the standard one, and a negative number none at all. */
export function limit(description: string, standard: number) {
  return Setting.of("integer", description, (value) => {
    const number = readInteger(value);
    if (number < 0) return Number.POSITIVE_INFINITY;
    return number === 0 ? standard : number;
  }).default(standard);
}

/** Whole seconds. */
export const duration = (description: string) =>
  Setting.of("duration", description, (value) => (isEmpty(value) ? undefined : readDuration(value, parseDuration)));

/** Whole seconds; 0 counts as not set. */
export const lifetime = (description: string) =>
  Setting.of("duration", description, (value) => {
    const seconds = isEmpty(value) ? 0 : readDuration(value, parseDuration);
    return seconds === 0 ? undefined : seconds;
  });

/** Milliseconds. */
export const timeout = (description: string) =>
  Setting.of("duration", description, (value) => {
    if (isEmpty(value)) return undefined;
    const milliseconds = readDuration(value, parseDurationMilliseconds);
    if (milliseconds <= longestTimeout) return milliseconds;
    throw new HclError(`must be at most ${formatDuration(Math.floor(longestTimeout / 1000))}`, value.position);
  });

/** One of a few words, in small or capital letters; other words may stand for one of them. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
  description: string,
  otherWords: Readonly<Record<string, Choice>> = {},
) {
  const known = new Map<string, Choice>([
    ...Object.entries(otherWords),
    ...choices.map((name) => [name, name] as const),
  ]);
  const allowed = choices.map((name) => JSON.stringify(name)).join(", ");
  return Setting.of(choices.map((name) => `\`"${name}"\``).join(", "), description, (value) => {
    if (isEmpty(value)) return undefined;
    const written = readText(value);
    const chosen = known.get(written.toLowerCase());
    if (chosen !== undefined) return chosen;
    throw new HclError(`${JSON.stringify(written)} is not allowed: use one of ${allowed}`, value.position);
  });
}

export const list = (description: string) =>
  Setting.of("list", description, (value) => readItems(value).map((item) => item.text));

/** A block of keys of the operator's own choice. */
export const textMap = (description: string) => Setting.of("block of strings", description, readTextMap);

const isEmpty = (value: Value) => value.kind === "string" && value.value === "";

export interface ListItem {
  readonly text: string;
  readonly value: Value;
}

/** A list of strings, or one string with commas. */
export function readItems(value: Value): ListItem[] {
  if (value.kind === "list") return value.items.map((item) => ({ text: readText(item), value: item }));
  if (value.kind !== "string") throw wrongKind(value, "a list of strings, or a string with commas");
  return value.value
    .split(",")
    .map((part) => ({ text: part.trim(), value }))
    .filter((item) => item.text !== "");
}

export function readText(value: Value): string {
  if (value.kind === "string") return value.value;
  throw wrongKind(value, "a string");
}

const truths = new Set(["1", "t", "true", "yes", "on"]);
const falsehoods = new Set(["", "0", "f", "false", "no", "off"]);

function readFlag(value: Value): boolean {
  if (value.kind === "boolean") return value.value;
  const written =
    value.kind === "string" ? value.value.toLowerCase() : value.kind === "number" ? value.text : undefined;
  if (written !== undefined && truths.has(written)) return true;
  if (written !== undefined && falsehoods.has(written)) return false;
  throw new HclError("must be true or false", value.position);
}

function readInteger(value: Value): number {
  const written = value.kind === "string" && /^[+-]?[0-9]{1,16}$/.test(value.value) ? Number(value.value) : undefined;
  const number = value.kind === "number" ? value.value : written;
  if (number !== undefined && Number.isSafeInteger(number)) return number;
  throw wrongKind(value, "a whole number");
}

function readDuration(value: Value, parse: (raw: unknown) => number): number {
  if (value.kind !== "string" && value.kind !== "number") throw wrongKind(value, 'a duration, such as "1h30m"');
  try {
    const amount = parse(value.value);
    if (amount >= 0) return amount;
  } catch (error) {
    if (error instanceof DurationError) throw new HclError(error.message, value.position);
    throw error;
  }
  throw new HclError("must not be negative", value.position);
}

function readTextMap(value: Value): Readonly<Record<string, string>> {
  if (value.kind !== "object") throw wrongKind(value, "a block");
  const map: Record<string, string> = Object.create(null);
  for (const item of value.items) {
    if (item.labels.length > 0) throw new HclError(`${JSON.stringify(item.key)} takes no label`, item.position);
    map[item.key] = readSimple(item.key, item.value);
  }
  return map;
}

function readSimple(key: string, value: Value): string {
  if (value.kind === "string") return value.value;
  if (value.kind === "number") return value.text;
  if (value.kind === "boolean") return String(value.value);
  throw new HclError(`${JSON.stringify(key)} must be a string, found ${describeValue(value)}`, value.position);
}

export function wrongKind(value: Value, expected: string): HclError {
  return new HclError(`must be ${expected}, found ${describeValue(value)}`, value.position);
}
