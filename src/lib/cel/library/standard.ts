/** The functions that every program has. Operators are declared here too; the compiler knows how to run them fast. */

import { index } from "../access.ts";
import { add, divide, modulo, multiply, negate, subtract } from "../arithmetic.ts";
import { operators } from "../ast.ts";
import * as convert from "../conversions.ts";
import { type Implementation, type Library, type Overload, overload } from "../declarations.ts";
import { compare, contains, equals } from "../equality.ts";
import { noSuchOverload } from "../errors.ts";
import { doubleText } from "../number-text.ts";
import { matches } from "../patterns.ts";
import { standardMacros } from "../standard-macros.ts";
import { durationText, timestampText } from "../time-text.ts";
import * as types from "../types.ts";
import { type Duration, mapSize, type Timestamp, TypeValue, type Uint, type Value } from "../values.ts";
import { timeOverloads } from "./times.ts";

const same: Implementation = (_, value) => value;

/** Numbers of different types compare at run time only: the checker takes that for a mistake. */
function comparisons(name: string, operator: string, holds: (order: number) => boolean): Overload[] {
  return ["bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration"].map((type) =>
    overload(`${name}_${overloadName(type)}`, `${operator}(${type}, ${type}) -> bool`, (meter, left, right) =>
      holds(compare(meter, left, right)),
    ),
  );
}

const overloadName = (type: string): string => (type === "int" || type === "uint" ? `${type}64` : type);

const arithmetic = (name: string, operator: string, kinds: readonly string[], evaluate: Implementation): Overload[] =>
  kinds.map((type) => overload(`${name}_${overloadName(type)}`, `${operator}(${type}, ${type}) -> ${type}`, evaluate));

const onTimes = (id: string, operator: string, left: string, right: string, result: string, run: Implementation) =>
  overload(id, `${operator}(${left}, ${right}) -> ${result}`, run);

const operatorOverloads: Overload[] = [
  overload("conditional", `${operators.conditional}(bool, A, A) -> A`, (_, condition, yes, no) =>
    condition ? yes : no,
  ),
  overload("logical_and", `${operators.and}(bool, bool) -> bool`, (_, left, right) => left && right),
  overload("logical_or", `${operators.or}(bool, bool) -> bool`, (_, left, right) => left || right),
  overload("logical_not", `${operators.not}(bool) -> bool`, (_, value) => !value),
  overload("not_strictly_false", `${operators.notStrictlyFalse}(bool) -> bool`, same),
  overload("equals", `${operators.equal}(A, A) -> bool`, (meter, left, right) => equals(meter, left, right)),
  overload("not_equals", `${operators.notEqual}(A, A) -> bool`, (meter, left, right) => !equals(meter, left, right)),
  ...comparisons("less", operators.less, (order) => order < 0),
  ...comparisons("less_equals", operators.lessOrEqual, (order) => order <= 0),
  ...comparisons("greater", operators.greater, (order) => order > 0),
  ...comparisons("greater_equals", operators.greaterOrEqual, (order) => order >= 0),
  ...arithmetic("add", operators.add, ["bytes", "double", "int", "string", "uint"], add),
  overload("add_list", `${operators.add}(list(A), list(A)) -> list(A)`, add),
  onTimes("add_duration_duration", operators.add, "duration", "duration", "duration", add),
  onTimes("add_duration_timestamp", operators.add, "duration", "timestamp", "timestamp", add),
  onTimes("add_timestamp_duration", operators.add, "timestamp", "duration", "timestamp", add),
  ...arithmetic("subtract", operators.subtract, ["double", "int", "uint"], (_, left, right) => subtract(left, right)),
  onTimes("subtract_duration_duration", operators.subtract, "duration", "duration", "duration", (_, a, b) =>
    subtract(a, b),
  ),
  onTimes("subtract_timestamp_duration", operators.subtract, "timestamp", "duration", "timestamp", (_, a, b) =>
    subtract(a, b),
  ),
  onTimes("subtract_timestamp_timestamp", operators.subtract, "timestamp", "timestamp", "duration", (_, a, b) =>
    subtract(a, b),
  ),
  ...arithmetic("multiply", operators.multiply, ["double", "int", "uint"], (_, left, right) => multiply(left, right)),
  ...arithmetic("divide", operators.divide, ["double", "int", "uint"], (_, left, right) => divide(left, right)),
  ...arithmetic("modulo", operators.modulo, ["int", "uint"], (_, left, right) => modulo(left, right)),
  overload("negate_double", `${operators.negate}(double) -> double`, (_, value) => negate(value)),
  overload("negate_int64", `${operators.negate}(int) -> int`, (_, value) => negate(value)),
  overload("index_list", `${operators.index}(list(A), int) -> A`, (_, list, at) => index(list, at)),
  overload("index_map", `${operators.index}(map(A, B), A) -> B`, (_, map, key) => index(map, key)),
  overload("in_list", `${operators.in}(A, list(A)) -> bool`, (meter, value, list) => contains(meter, list, value)),
  overload("in_map", `${operators.in}(A, map(A, B)) -> bool`, (meter, key, map) => contains(meter, map, key)),
];

/** Code points, which is what CEL counts. */
function codePointCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) count--;
  }
  return count;
}

const sizes: [type: string, Implementation][] = [
  ["bytes", (_, value: Uint8Array) => BigInt(value.length)],
  ["list(A)", (_, value: Value[]) => BigInt(value.length)],
  ["map(A, B)", (_, value) => BigInt(mapSize(value))],
  [
    "string",
    (meter, value: string) => {
      meter.chargeReading(value.length);
      return BigInt(codePointCount(value));
    },
  ],
];

const sizeOverloads = sizes.flatMap(([type, evaluate]) => {
  const name = /^[a-z]+/.exec(type)![0];
  return [
    overload(`size_${name}`, `size(${type}) -> int`, evaluate),
    overload(`${name}_size`, `${type}.size() -> int`, evaluate),
  ];
});

const onText = (id: string, signature: string, test: (text: string, part: string) => boolean): Overload =>
  overload(id, signature, (meter, text: string, part: string) => {
    meter.chargeReading(text.length);
    return test(text, part);
  });

const textOverloads: Overload[] = [
  onText("contains_string", "string.contains(string) -> bool", (text, part) => text.includes(part)),
  onText("ends_with_string", "string.endsWith(string) -> bool", (text, part) => text.endsWith(part)),
  onText("starts_with_string", "string.startsWith(string) -> bool", (text, part) => text.startsWith(part)),
  overload("matches", "matches(string, string) -> bool", matches),
  overload("matches_string", "string.matches(string) -> bool", matches),
];

/** Reading a value out of text takes a few times as long as a plain call. */
const reading =
  (read: (text: string) => Value): Implementation =>
  (meter, text: string) => {
    meter.charge(6);
    return read(text);
  };

const conversionOverloads: Overload[] = [
  overload("bool_to_bool", "bool(bool) -> bool", same),
  overload("string_to_bool", "bool(string) -> bool", (_, text) => convert.stringToBool(text)),
  overload("bytes_to_bytes", "bytes(bytes) -> bytes", same),
  overload("string_to_bytes", "bytes(string) -> bytes", (meter, text: string) => {
    meter.chargeText(text.length);
    return new Uint8Array(Buffer.from(text));
  }),
  overload("double_to_double", "double(double) -> double", same),
  overload("int64_to_double", "double(int) -> double", (_, value) => Number(value)),
  overload("string_to_double", "double(string) -> double", reading(convert.stringToDouble)),
  overload("uint64_to_double", "double(uint) -> double", (_, value: Uint) => Number(value.value)),
  overload("duration_to_duration", "duration(duration) -> duration", same),
  overload("string_to_duration", "duration(string) -> duration", reading(convert.stringToDuration)),
  overload("to_dyn", "dyn(A) -> dyn", same),
  overload("int64_to_int64", "int(int) -> int", same),
  overload("double_to_int64", "int(double) -> int", (_, value) => convert.doubleToInt(value)),
  overload("duration_to_int64", "int(duration) -> int", (_, value: Duration) => value.nanoseconds),
  overload("string_to_int64", "int(string) -> int", reading(convert.stringToInt)),
  overload("timestamp_to_int64", "int(timestamp) -> int", (_, value) => convert.timestampToInt(value)),
  overload("uint64_to_int64", "int(uint) -> int", (_, value) => convert.uintToInt(value)),
  overload("string_to_string", "string(string) -> string", same),
  overload("bool_to_string", "string(bool) -> string", (_, value) => String(value)),
  overload("bytes_to_string", "string(bytes) -> string", (meter, value: Uint8Array) => {
    meter.chargeText(value.length);
    return convert.bytesToString(value);
  }),
  overload("double_to_string", "string(double) -> string", (_, value) => doubleText(value)),
  overload("duration_to_string", "string(duration) -> string", (_, value) => durationText(value)),
  overload("int64_to_string", "string(int) -> string", (_, value) => String(value)),
  overload("timestamp_to_string", "string(timestamp) -> string", (_, value: Timestamp) => timestampText(value)),
  overload("uint64_to_string", "string(uint) -> string", (_, value: Uint) => String(value.value)),
  overload("timestamp_to_timestamp", "timestamp(timestamp) -> timestamp", same),
  overload("int64_to_timestamp", "timestamp(int) -> timestamp", (_, value) => convert.intToTimestamp(value)),
  overload("string_to_timestamp", "timestamp(string) -> timestamp", reading(convert.stringToTimestamp)),
  overload("uint64_to_uint64", "uint(uint) -> uint", same),
  overload("double_to_uint64", "uint(double) -> uint", (_, value) => convert.doubleToUint(value)),
  overload("int64_to_uint64", "uint(int) -> uint", (_, value) => convert.intToUint(value)),
  overload("string_to_uint64", "uint(string) -> uint", reading(convert.stringToUint)),
  // The compiler replaces it: only there are the names of messages known.
  overload("type", "type(A) -> type(A)", () => {
    throw noSuchOverload();
  }),
];

const typeConstant = (name: string, type: types.Type) =>
  [name, { type: types.typeOf(type), value: new TypeValue(name, type) }] as const;

const typeConstants = Object.fromEntries([
  typeConstant("bool", types.bool),
  typeConstant("bytes", types.bytes),
  typeConstant("double", types.double),
  typeConstant("int", types.int),
  typeConstant("list", types.list(types.dyn)),
  typeConstant("map", types.map(types.dyn, types.dyn)),
  typeConstant("null_type", types.nullType),
  typeConstant("string", types.string),
  typeConstant("type", types.typeOf(undefined)),
  typeConstant("uint", types.uint),
  typeConstant("google.protobuf.Timestamp", types.timestamp),
  typeConstant("google.protobuf.Duration", types.duration),
]);

export const standardLibrary: Library = {
  overloads: [...operatorOverloads, ...sizeOverloads, ...textOverloads, ...conversionOverloads, ...timeOverloads],
  macros: standardMacros,
  constants: typeConstants,
};
