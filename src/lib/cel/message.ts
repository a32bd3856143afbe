/** Messages: records whose type was declared. A host declares types as values; no protocol buffers are needed. */
import { EvaluationError } from "./errors.ts";
import * as types from "./types.ts";
import { CelMap, Duration, Special, Timestamp, Uint, type Value } from "./values.ts";

/** What a field holds. Sizes of integers are those of the wire, and are checked when a field is set. */
export type FieldKind =
  | "bool"
  | "int32"
  | "int64"
  | "uint32"
  | "uint64"
  | "float"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  /** Any message, any JSON-like value, a JSON object, a JSON array. */
  | "any"
  | "value"
  | "struct"
  | "listValue"
  | { readonly message: string }
  | { readonly enum: string }
  /** A value that may also be null. */
  | { readonly wrapper: "bool" | "int32" | "int64" | "uint32" | "uint64" | "float" | "double" | "string" | "bytes" }
  | { readonly list: FieldKind }
  | { readonly map: readonly [key: FieldKind, value: FieldKind] };

export interface FieldType {
  readonly kind: FieldKind;
  /** Knows whether it was set, even to what it would be otherwise. Messages and wrappers always do. */
  readonly hasPresence?: boolean;
  /** Value while it is not set, if not the usual zero. */
  readonly default?: Value;
  /** Fields of one such name exclude each other. */
  readonly oneOf?: string;
}

export interface MessageType {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Set for messages that are values of the language, such as timestamps. */
  readonly wellKnown?: WellKnown;
}

export interface WellKnown {
  readonly type: types.Type;
  construct(fields: ReadonlyMap<string, Value>): Value;
}

/** Names of an enumeration's values. */
export interface EnumType {
  readonly name: string;
  readonly values: Readonly<Record<string, number>>;
}

export class Message extends Special {
  readonly kind = "message";
  readonly type: MessageType;
  /** Only what is set. */
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: MessageType, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }
}

export const isRepeated = (kind: FieldKind): kind is { list: FieldKind } | { map: readonly [FieldKind, FieldKind] } =>
  typeof kind === "object" && ("list" in kind || "map" in kind);

const simpleTypes: Readonly<Record<FieldKind & string, types.Type>> = {
  bool: types.bool,
  int32: types.int,
  int64: types.int,
  uint32: types.uint,
  uint64: types.uint,
  float: types.double,
  double: types.double,
  string: types.string,
  bytes: types.bytes,
  timestamp: types.timestamp,
  duration: types.duration,
  any: types.anyType,
  value: types.dyn,
  struct: types.map(types.string, types.dyn),
  listValue: types.list(types.dyn),
};

/** What the checker knows a field as. */
export function fieldCelType(kind: FieldKind): types.Type {
  if (typeof kind === "string") return simpleTypes[kind];
  if ("message" in kind) return types.message(kind.message);
  if ("enum" in kind) return types.int;
  if ("wrapper" in kind) return types.wrapper(simpleTypes[kind.wrapper]);
  if ("list" in kind) return types.list(fieldCelType(kind.list));
  return types.map(fieldCelType(kind.map[0]), fieldCelType(kind.map[1]));
}

const zeros: Readonly<Partial<Record<FieldKind & string, Value>>> = {
  bool: false,
  int32: 0n,
  int64: 0n,
  uint32: new Uint(0n),
  uint64: new Uint(0n),
  float: 0,
  double: 0,
  string: "",
  bytes: new Uint8Array(),
  timestamp: new Timestamp(0n),
  duration: new Duration(0n),
  any: null,
  value: null,
  struct: new CelMap(),
  listValue: [],
};

/** What a field reads as while it is not set. */
export function zeroOf(field: FieldType, findMessage: (name: string) => MessageType | undefined): Value {
  if (field.default !== undefined) return field.default;
  const { kind } = field;
  if (typeof kind === "string") return zeros[kind]!;
  if ("list" in kind) return [];
  if ("map" in kind) return new CelMap();
  if ("enum" in kind) return 0n;
  if ("wrapper" in kind) return null;
  const type = findMessage(kind.message);
  if (type === undefined) throw new EvaluationError(`unknown type: ${kind.message}`);
  return new Message(type, new Map());
}

/** Equal to what an unset field reads as, so that setting a field without presence to it leaves it unset. */
export function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === "") return true;
  if (value === 0) return !Object.is(value, -0);
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length === 0;
  return value instanceof CelMap && value.size === 0;
}
