/** When values are equal, and which of two is less. Numbers compare by what they stand for, whatever their types. */
import { noSuchOverload } from "./errors.ts";
import type { Meter } from "./limits.ts";
import { Message } from "./message.ts";
import {
  type AnyMap,
  Duration,
  isList,
  isMap,
  mapEntries,
  mapGet,
  mapSize,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "./values.ts";

/** What is long takes long to compare; this much is free. */
const freeLength = 64;

export function equals(meter: Meter, left: Value, right: Value): boolean {
  const type = typeof left;
  if (type === "string" && (left as string).length > freeLength) meter.chargeReading((left as string).length);
  if (type !== "object") {
    // Not `Object.is`: NaN equals nothing, and the zeros equal each other.
    if (type === typeof right) return left === right;
    if (type === "bigint" || type === "number") return looselyEqual(left as bigint | number, right);
    return false;
  }
  if (left === null || right === null) return left === right;
  if (left instanceof Uint) return looselyEqual(left.value, right);
  return objectsEqual(meter, left as object & Value, right);
}

function looselyEqual(left: bigint | number, right: Value): boolean {
  const other = right instanceof Uint ? right.value : right;
  return (typeof other === "bigint" || typeof other === "number") && order(left, other) === 0;
}

function objectsEqual(meter: Meter, left: Value, right: Value): boolean {
  if (isList(left)) return isList(right) && listsEqual(meter, left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array && compareBytes(meter, left, right) === 0;
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  if (left instanceof Duration) return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Optional) return right instanceof Optional && optionalsEqual(meter, left, right);
  if (left instanceof Message) return right instanceof Message && messagesEqual(meter, left, right);
  return isMap(left) && isMap(right) && mapsEqual(meter, left, right);
}

function listsEqual(meter: Meter, left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  meter.charge(left.length / 2);
  return left.every((element, index) => equals(meter, element, right[index]!));
}

function optionalsEqual(meter: Meter, left: Optional, right: Optional): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equals(meter, left.value, right.value);
}

function mapsEqual(meter: Meter, left: AnyMap, right: AnyMap): boolean {
  const size = mapSize(left);
  meter.charge(size);
  if (size !== mapSize(right)) return false;
  for (const [key, value] of mapEntries(left)) {
    const other = mapGet(right, key);
    if (other === undefined || !equals(meter, value, other)) return false;
  }
  return true;
}

function messagesEqual(meter: Meter, left: Message, right: Message): boolean {
  if (left.type.name !== right.type.name) return false;
  meter.charge(left.fields.size);
  for (const name of new Set([...left.fields.keys(), ...right.fields.keys()])) {
    const one = left.fields.get(name);
    const other = right.fields.get(name);
    if (one === undefined || other === undefined || !equals(meter, one, other)) return false;
  }
  return true;
}

/** Negative when `left` is less, positive when it is greater, NaN when neither. */
export function compare(meter: Meter, left: Value, right: Value): number {
  const type = typeof left;
  if (type === typeof right) {
    if (type === "bigint" || type === "number" || type === "boolean") return order(left as bigint, right as bigint);
    if (type === "string") return compareStrings(meter, left as string, right as string);
  }
  const one = left instanceof Uint ? left.value : left;
  const other = right instanceof Uint ? right.value : right;
  if (isNumber(one) && isNumber(other)) return order(one, other);
  if (left instanceof Timestamp && right instanceof Timestamp) return order(left.nanoseconds, right.nanoseconds);
  if (left instanceof Duration && right instanceof Duration) return order(left.nanoseconds, right.nanoseconds);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(meter, left, right);
  throw noSuchOverload();
}

const isNumber = (value: Value): value is bigint | number => typeof value === "bigint" || typeof value === "number";

/** An int and a double compare as doubles, as they do in other implementations, even where that is not exact. */
function order(left: bigint | number | boolean, right: bigint | number | boolean): number {
  if (typeof left !== typeof right) return order(Number(left), Number(right));
  if (left < right) return -1;
  if (left > right) return 1;
  return left === right ? 0 : Number.NaN;
}

function compareBytes(meter: Meter, left: Uint8Array, right: Uint8Array): number {
  meter.chargeReading(Math.min(left.length, right.length));
  return Buffer.compare(left, right);
}

/** By code point; UTF-16 would put what lies beyond its first plane before some that does not. */
function compareStrings(meter: Meter, left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  if (length > freeLength) meter.chargeReading(length * 4);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) {
      const isOneSurrogate = (one & 0xf800) === 0xd800;
      const isOtherSurrogate = (other & 0xf800) === 0xd800;
      return isOneSurrogate === isOtherSurrogate ? one - other : isOneSurrogate ? 1 : -1;
    }
  }
  return left.length - right.length;
}

/** Whether a list or map holds the value. */
export function contains(meter: Meter, container: Value, value: Value): boolean {
  if (isList(container)) return container.some((element) => equals(meter, element, value));
  if (isMap(container)) return mapGet(container, value) !== undefined;
  throw noSuchOverload();
}
