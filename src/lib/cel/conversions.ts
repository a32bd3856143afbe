/** Turning values of one type into another: `int("7")`, `string(1.5)`. */
import { toInt, toUint } from "./arithmetic.ts";
import { EvaluationError } from "./errors.ts";
import { parseDouble } from "./number-text.ts";
import { durationOf, nanosecondsPerSecond, timestampOf } from "./time-range.ts";
import { parseDuration, parseTimestamp, split } from "./time-text.ts";
import { type Duration, maximumInt, minimumInt, type Timestamp, Uint } from "./values.ts";

const failed = (from: string, to: string): EvaluationError =>
  new EvaluationError(`type conversion error from '${from}' to '${to}'`);

export function doubleToInt(value: number): bigint {
  // 2^63 itself is a double, and 2^63 - 1 is not: both ends are out.
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new EvaluationError("integer overflow");
  return BigInt(Math.trunc(value));
}

export function doubleToUint(value: number): Uint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new EvaluationError("unsigned integer overflow");
  return new Uint(BigInt(Math.trunc(value)));
}

export const uintToInt = (value: Uint): bigint => toInt(value.value);
export const intToUint = (value: bigint): Uint => toUint(value);

export function stringToInt(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text) || text.length > 32) throw failed("string", "int");
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  if (value < minimumInt || value > maximumInt) throw failed("string", "int");
  return value;
}

export function stringToUint(text: string): Uint {
  if (!/^[0-9]{1,32}$/.test(text) || BigInt(text) >= 2n ** 64n) throw failed("string", "uint");
  return new Uint(BigInt(text));
}

export function stringToDouble(text: string): number {
  const value = parseDouble(text);
  if (value === undefined) throw failed("string", "double");
  return value;
}

const truths = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const falsehoods = new Set(["0", "f", "F", "false", "FALSE", "False"]);

export function stringToBool(text: string): boolean {
  if (truths.has(text)) return true;
  if (falsehoods.has(text)) return false;
  throw failed("string", "bool");
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function bytesToString(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new EvaluationError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

export function stringToTimestamp(text: string): Timestamp {
  const nanoseconds = parseTimestamp(text);
  if (nanoseconds === undefined) throw failed("string", "google.protobuf.Timestamp");
  return timestampOf(nanoseconds);
}

export function stringToDuration(text: string): Duration {
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined || nanoseconds < minimumInt || nanoseconds > maximumInt) {
    throw failed("string", "google.protobuf.Duration");
  }
  return durationOf(nanoseconds);
}

export const intToTimestamp = (seconds: bigint): Timestamp => timestampOf(seconds * nanosecondsPerSecond);
export const timestampToInt = (value: Timestamp): bigint => split(value.nanoseconds).seconds;
