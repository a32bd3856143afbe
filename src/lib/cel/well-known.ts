/** The messages of `google.protobuf` that are values of the language: a literal of theirs gives that value. */
import { EvaluationError } from "./errors.ts";
import type { FieldType, MessageType, WellKnown } from "./message.ts";
import { durationOf, nanosecondsPerSecond, timestampOf } from "./time-range.ts";
import * as types from "./types.ts";
import { CelMap, Uint, type Value } from "./values.ts";

/** Turns what `Any` carries into a value. */
export type Unpack = (typeUrl: string, bytes: Uint8Array) => Value;

const declare = (
  name: string,
  fields: Readonly<Record<string, FieldType>>,
  type: types.Type,
  construct: WellKnown["construct"],
): MessageType => ({ name: `google.protobuf.${name}`, fields, wellKnown: { type, construct } });

const wrap = (name: string, kind: FieldType["kind"], type: types.Type, zero: Value): MessageType =>
  declare(name, { value: { kind } }, types.wrapper(type), (fields) => fields.get("value") ?? zero);

function nanoseconds(fields: ReadonlyMap<string, Value>): bigint {
  const seconds = (fields.get("seconds") ?? 0n) as bigint;
  return seconds * nanosecondsPerSecond + ((fields.get("nanos") ?? 0n) as bigint);
}

const seconds: Readonly<Record<string, FieldType>> = { seconds: { kind: "int64" }, nanos: { kind: "int32" } };

const oneOf = "kind";
const valueFields: Readonly<Record<string, FieldType>> = {
  null_value: { kind: { enum: "google.protobuf.NullValue" }, hasPresence: true, oneOf },
  number_value: { kind: "double", hasPresence: true, oneOf },
  string_value: { kind: "string", hasPresence: true, oneOf },
  bool_value: { kind: "bool", hasPresence: true, oneOf },
  struct_value: { kind: "struct", hasPresence: true, oneOf },
  list_value: { kind: "listValue", hasPresence: true, oneOf },
};

function heldValue(fields: ReadonlyMap<string, Value>): Value {
  const [name] = fields.keys();
  return name === undefined || name === "null_value" ? null : fields.get(name)!;
}

export function wellKnownTypes(unpack: Unpack = unknownContent): readonly MessageType[] {
  return [
    wrap("BoolValue", "bool", types.bool, false),
    wrap("BytesValue", "bytes", types.bytes, new Uint8Array()),
    wrap("DoubleValue", "double", types.double, 0),
    wrap("FloatValue", "float", types.double, 0),
    wrap("Int32Value", "int32", types.int, 0n),
    wrap("Int64Value", "int64", types.int, 0n),
    wrap("StringValue", "string", types.string, ""),
    wrap("UInt32Value", "uint32", types.uint, new Uint(0n)),
    wrap("UInt64Value", "uint64", types.uint, new Uint(0n)),
    declare("Timestamp", seconds, types.timestamp, (fields) => timestampOf(nanoseconds(fields))),
    declare("Duration", seconds, types.duration, (fields) => durationOf(nanoseconds(fields))),
    declare("Value", valueFields, types.dyn, heldValue),
    declare(
      "Struct",
      { fields: { kind: { map: ["string", "value"] } } },
      types.map(types.string, types.dyn),
      (fields) => fields.get("fields") ?? new CelMap(),
    ),
    declare(
      "ListValue",
      { values: { kind: { list: "value" } } },
      types.list(types.dyn),
      (fields) => fields.get("values") ?? [],
    ),
    declare("Any", { type_url: { kind: "string" }, value: { kind: "bytes" } }, types.anyType, (fields) =>
      unpack((fields.get("type_url") ?? "") as string, (fields.get("value") ?? new Uint8Array()) as Uint8Array),
    ),
  ];
}

function unknownContent(typeUrl: string): never {
  throw new EvaluationError(`conversion error: got invalid Any message type: ${typeUrl}`);
}
