/**
 * How weakly typed input becomes what a field declares. Command-line clients send numbers and booleans as strings,
 * Go clients send durations as `1h0m0s`, and older ones send comma-separated lists.
 * Each function returns its input unchanged when it cannot be read, so that the schema behind it refuses it.
 */
import { parseDuration } from "../lib/duration.ts";
import { isJsonObject, isRawNumber } from "../lib/json.ts";

export function readText(raw: unknown): unknown {
  if (typeof raw === "string") return raw;
  if (typeof raw === "number") return String(raw);
  if (typeof raw === "boolean") return raw ? "1" : "0";
  if (isRawNumber(raw)) return raw.rawJSON;
  return raw;
}

const truths = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const falsehoods = new Set(["0", "f", "F", "FALSE", "false", "False", ""]);

export function readFlag(raw: unknown): unknown {
  if (typeof raw === "number") return raw !== 0;
  if (typeof raw !== "string") return raw;
  return truths.has(raw) ? true : falsehoods.has(raw) ? false : raw;
}

export function readInteger(raw: unknown): unknown {
  if (typeof raw === "boolean") return raw ? 1 : 0;
  const text = isRawNumber(raw) ? raw.rawJSON : raw;
  if (typeof text !== "string") return text;
  if (text === "") return 0;
  return /^[+-]?(\d+|0x[0-9a-fA-F]+)$/.test(text) ? wholeNumber(text) : text;
}

function wholeNumber(text: string): number {
  const negative = text.startsWith("-");
  const magnitude = Number(negative || text.startsWith("+") ? text.slice(1) : text);
  return negative ? -magnitude : magnitude;
}

export function readNumber(raw: unknown): unknown {
  if (typeof raw === "boolean") return raw ? 1 : 0;
  const text = isRawNumber(raw) ? raw.rawJSON : raw;
  if (typeof text !== "string") return text;
  if (text === "") return 0;
  return /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

export function readDuration(raw: unknown): unknown {
  if (raw === undefined || raw === null) return raw;
  try {
    return parseDuration(isRawNumber(raw) ? raw.rawJSON : raw);
  } catch {
    return raw;
  }
}

/** RFC 3339, or seconds since the epoch; answers milliseconds. */
export function readTime(raw: unknown): unknown {
  const text = readText(raw);
  if (typeof text !== "string") return raw;
  if (/^-?\d{1,12}$/.test(text)) return Number(text) * 1000;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)) return raw;
  const at = Date.parse(text);
  return Number.isNaN(at) ? raw : at;
}

/** An array, or one comma-separated string. */
export function readList(raw: unknown): unknown {
  if (Array.isArray(raw)) return raw.map(readText);
  const text = readText(raw);
  return typeof text === "string" ? splitCommas(text) : raw;
}

/** An array, or one string that is its only item. */
export function readItems(raw: unknown): unknown {
  if (Array.isArray(raw)) return raw.map(readText);
  const text = readText(raw);
  return typeof text === "string" ? (text === "" ? [] : [text]) : raw;
}

/** A map, a list of `key=value`, or one such pair. */
export function readDictionary(raw: unknown): unknown {
  if (isJsonObject(raw)) return mapValues(raw, readText);
  const pairs = typeof raw === "string" ? (raw === "" ? [] : [raw]) : raw;
  if (!Array.isArray(pairs)) return raw;
  const dictionary: Record<string, unknown> = Object.create(null);
  for (const pair of pairs) {
    if (typeof pair !== "string" || !pair.includes("=")) return raw;
    const equals = pair.indexOf("=");
    dictionary[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim();
  }
  return dictionary;
}

function mapValues(object: Record<string, unknown>, read: (raw: unknown) => unknown) {
  const result: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(object)) result[key] = read(object[key]);
  return result;
}

function splitCommas(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
