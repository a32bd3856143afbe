/** How templates compare: numbers by value, strings by code point; lists and maps not at all. */
import { FunctionError } from "./error.ts";
import { isList, isMap, typeName, type Value } from "./value.ts";

export function isEqual(left: Value, right: Value): boolean {
  if (isList(left) || isMap(left) || isList(right) || isMap(right)) throw new FunctionError("non-comparable type");
  if (left === null || right === null) return left === right;
  if (isNumber(left) && isNumber(right)) return compare(left, right) === 0;
  if (typeof left !== typeof right) throw incomparable(left, right);
  return left === right;
}

export function compare(left: Value, right: Value): number {
  if (isNumber(left) && isNumber(right)) return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === "string" && typeof right === "string") {
    return Buffer.compare(Buffer.from(left, "utf8"), Buffer.from(right, "utf8"));
  }
  throw incomparable(left, right);
}

const isNumber = (value: Value): value is number | bigint => typeof value === "number" || typeof value === "bigint";

const incomparable = (left: Value, right: Value) =>
  new FunctionError(`incompatible types for comparison: ${typeName(left)} and ${typeName(right)}`);
