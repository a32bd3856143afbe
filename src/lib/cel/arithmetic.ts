/** Adding, subtracting and so on, with the errors of fixed-size integers. */
import { EvaluationError, noSuchOverload } from "./errors.ts";
import type { Meter } from "./limits.ts";
import { durationOf, timestampOf } from "./time-range.ts";
import { Duration, isList, maximumInt, maximumUint, minimumInt, Timestamp, Uint, type Value } from "./values.ts";

export function toInt(value: bigint): bigint {
  if (value < minimumInt || value > maximumInt) throw new EvaluationError("integer overflow");
  return value;
}

export function toUint(value: bigint): Uint {
  if (value < 0n || value > maximumUint) throw new EvaluationError("unsigned integer overflow");
  return new Uint(value);
}

export function add(meter: Meter, left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return toInt(left + right);
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (typeof left === "string" && typeof right === "string") {
    meter.chargeText(left.length + right.length);
    return left + right;
  }
  if (isList(left) && isList(right)) {
    meter.chargeElements(left.length + right.length);
    return left.concat(right);
  }
  if (left instanceof Uint && right instanceof Uint) return toUint(left.value + right.value);
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    meter.chargeText(left.length + right.length);
    return new Uint8Array(Buffer.concat([left, right]));
  }
  return addTimes(left, right);
}

function addTimes(left: Value, right: Value): Value {
  if (left instanceof Timestamp && right instanceof Duration) return timestampOf(left.nanoseconds + right.nanoseconds);
  if (left instanceof Duration && right instanceof Timestamp) return timestampOf(left.nanoseconds + right.nanoseconds);
  if (left instanceof Duration && right instanceof Duration) return durationOf(left.nanoseconds + right.nanoseconds);
  throw noSuchOverload();
}

export function subtract(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return toInt(left - right);
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (left instanceof Uint && right instanceof Uint) return toUint(left.value - right.value);
  if (left instanceof Timestamp && right instanceof Timestamp) return durationOf(left.nanoseconds - right.nanoseconds);
  if (left instanceof Timestamp && right instanceof Duration) return timestampOf(left.nanoseconds - right.nanoseconds);
  if (left instanceof Duration && right instanceof Duration) return durationOf(left.nanoseconds - right.nanoseconds);
  throw noSuchOverload();
}

export function multiply(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") return toInt(left * right);
  if (typeof left === "number" && typeof right === "number") return left * right;
  if (left instanceof Uint && right instanceof Uint) return toUint(left.value * right.value);
  throw noSuchOverload();
}

export function divide(left: Value, right: Value): Value {
  if (typeof left === "number" && typeof right === "number") return left / right;
  if (typeof left === "bigint" && typeof right === "bigint") return toInt(left / divisor(right, "division by zero"));
  if (left instanceof Uint && right instanceof Uint) {
    return new Uint(left.value / divisor(right.value, "division by zero"));
  }
  throw noSuchOverload();
}

export function modulo(left: Value, right: Value): Value {
  if (typeof left === "bigint" && typeof right === "bigint") {
    const remainder = left % divisor(right, "modulus by zero");
    if (left === minimumInt && right === -1n) throw new EvaluationError("integer overflow");
    return remainder;
  }
  if (left instanceof Uint && right instanceof Uint) {
    return new Uint(left.value % divisor(right.value, "modulus by zero"));
  }
  throw noSuchOverload();
}

function divisor(value: bigint, problem: string): bigint {
  if (value === 0n) throw new EvaluationError(problem);
  return value;
}

export function negate(value: Value): Value {
  if (typeof value === "bigint") return toInt(-value);
  if (typeof value === "number") return -value;
  if (value instanceof Duration) return durationOf(-value.nanoseconds);
  throw noSuchOverload();
}
