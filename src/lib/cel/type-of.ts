/** The type of a value, as `type(value)` tells. */
import { Message } from "./message.ts";
import * as types from "./types.ts";
import { kindOf, TypeValue, type Value } from "./values.ts";

const kindTypes: Readonly<Record<Exclude<ReturnType<typeof kindOf>, "message">, TypeValue>> = {
  null: new TypeValue("null_type", types.nullType),
  bool: new TypeValue("bool", types.bool),
  int: new TypeValue("int", types.int),
  uint: new TypeValue("uint", types.uint),
  double: new TypeValue("double", types.double),
  string: new TypeValue("string", types.string),
  bytes: new TypeValue("bytes", types.bytes),
  list: new TypeValue("list", types.list(types.dyn)),
  map: new TypeValue("map", types.map(types.dyn, types.dyn)),
  timestamp: new TypeValue("google.protobuf.Timestamp", types.timestamp),
  duration: new TypeValue("google.protobuf.Duration", types.duration),
  type: new TypeValue("type", types.typeOf(undefined)),
  optional: new TypeValue("optional_type", types.optional(types.dyn)),
};

export function typeOfValue(value: Value): TypeValue {
  if (value instanceof Message) return new TypeValue(value.type.name, types.message(value.type.name));
  return kindTypes[kindOf(value) as keyof typeof kindTypes];
}
