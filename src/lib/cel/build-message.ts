/** Makes messages out of what a program gives for their fields, as strict as the wire is about sizes and types. */
import { EvaluationError, noSuchOverload } from "./errors.ts";
import { type FieldKind, isRepeated, isZero, Message, type MessageType } from "./message.ts";
import { durationText, timestampText } from "./time-text.ts";
import {
  CelMap,
  Duration,
  isList,
  isMap,
  kindOf,
  type MapKey,
  mapEntries,
  Timestamp,
  Uint,
  type Value,
} from "./values.ts";

export function buildMessage(type: MessageType, given: readonly (readonly [field: string, Value])[]): Value {
  const fields = new Map<string, Value>();
  const chosen = new Map<string, string>();
  for (const [name, value] of given) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (field === undefined) throw new EvaluationError(`no such field: ${name}`);
    const stored = fieldValue(field.kind, value, `${type.name}.${name}`);
    const isKept = stored !== undefined && (knowsPresence(field.kind, field.hasPresence) || !isZero(stored));
    if (isKept) fields.set(name, stored);
    if (field.oneOf === undefined || stored === undefined) continue;
    const before = chosen.get(field.oneOf);
    if (before !== undefined && before !== name) fields.delete(before);
    chosen.set(field.oneOf, name);
  }
  return type.wellKnown === undefined ? new Message(type, fields) : type.wellKnown.construct(fields);
}

const simplePresence = new Set<FieldKind>(["timestamp", "duration", "any", "value", "struct", "listValue"]);

export function knowsPresence(kind: FieldKind, declared: boolean | undefined): boolean {
  if (isRepeated(kind)) return false;
  if (typeof kind === "object" && !("enum" in kind)) return true;
  return declared === true || simplePresence.has(kind);
}

/** The value as it is kept; undefined when it unsets the field. */
function fieldValue(kind: FieldKind, value: Value, where: string): Value | undefined {
  if (isRepeated(kind)) return repeatedValue(kind, value, where);
  if (value === null && kind !== "value") {
    const isMessage = typeof kind === "object" ? !("enum" in kind) : nullable.has(kind);
    if (isMessage) return undefined;
  }
  const stored = convert(kind, value);
  if (stored === undefined) {
    const problem = conversionProblem(value, nativeName(kind));
    throw new EvaluationError(`field type conversion error for ${where} value type: ${problem}`);
  }
  return stored;
}

const nullable = new Set<FieldKind>(["timestamp", "duration", "any"]);

function repeatedValue(
  kind: { list: FieldKind } | { map: readonly [FieldKind, FieldKind] },
  value: Value,
  where: string,
): Value {
  const unsupported = () => new EvaluationError(`unsupported field type for ${where}: ${kindOf(value)}`);
  const each = (of: FieldKind, element: Value): Value => {
    const stored = convert(of, element);
    if (stored === undefined) {
      throw new EvaluationError(
        `field type conversion error for ${where} value type: ${conversionProblem(element, nativeName(of))}`,
      );
    }
    return stored;
  };
  if ("list" in kind) {
    if (!isList(value)) throw unsupported();
    // As elsewhere, a null where a message belongs is left out.
    return value
      .filter((element) => element !== null || !isNullableElement(kind.list))
      .map((element) => each(kind.list, element));
  }
  if (!isMap(value)) throw unsupported();
  const kept = [...mapEntries(value)].filter(([, element]) => element !== null || !isNullableElement(kind.map[1]));
  return CelMap.of(kept.map(([key, element]) => [each(kind.map[0], key) as MapKey, each(kind.map[1], element)]));
}

const isNullableElement = (kind: FieldKind): boolean =>
  typeof kind === "object" ? "wrapper" in kind : kind === "timestamp" || kind === "duration";

function convert(kind: FieldKind, value: Value): Value | undefined {
  if (typeof kind === "string") return converters[kind](value);
  if ("message" in kind) return value instanceof Message && value.type.name === kind.message ? value : undefined;
  if ("enum" in kind) return converters.int32(value);
  if ("wrapper" in kind) return converters[kind.wrapper](value);
  throw noSuchOverload();
}

const converters: Readonly<Record<FieldKind & string, (value: Value) => Value | undefined>> = {
  bool: (value) => (typeof value === "boolean" ? value : undefined),
  int32: (value) => (typeof value === "bigint" ? within(value, -(2n ** 31n), 2n ** 31n - 1n, "integer") : undefined),
  int64: (value) => (typeof value === "bigint" ? value : undefined),
  uint32: (value) => {
    if (!(value instanceof Uint)) return undefined;
    within(value.value, 0n, 2n ** 32n - 1n, "unsigned integer");
    return value;
  },
  uint64: (value) => (value instanceof Uint ? value : undefined),
  float: (value) => (typeof value === "number" ? Math.fround(value) : undefined),
  double: (value) => (typeof value === "number" ? value : undefined),
  string: (value) => (typeof value === "string" ? value : undefined),
  bytes: (value) => (value instanceof Uint8Array ? value : undefined),
  timestamp: (value) => (value instanceof Timestamp ? value : undefined),
  duration: (value) => (value instanceof Duration ? value : undefined),
  any: (value) => value,
  value: toJson,
  struct: (value) => (isMap(value) ? toJson(value) : undefined),
  listValue: (value) => (isList(value) ? toJson(value) : undefined),
};

function within(value: bigint, least: bigint, greatest: bigint, what: string): bigint {
  if (value < least || value > greatest) throw new EvaluationError(`${what} overflow`);
  return value;
}

const largestExact = BigInt(Number.MAX_SAFE_INTEGER);

/** As JSON has it: numbers are doubles, except those that would not survive it, which become text. */
function toJson(value: Value): Value {
  const number = value instanceof Uint ? value.value : value;
  if (typeof number === "bigint") {
    return number <= largestExact && number >= -largestExact ? Number(number) : String(number);
  }
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (isList(value)) return value.map(toJson);
  if (isMap(value)) {
    return CelMap.of([...mapEntries(value)].map(([key, element]) => [jsonKey(key), toJson(element)]));
  }
  if (value instanceof Message) return messageToJson(value);
  throw new EvaluationError(`unsupported type conversion from '${kindOf(value)}' to google.protobuf.Value`);
}

function messageToJson(value: Message): Value {
  if (value.type.name === "google.protobuf.Empty") return new CelMap();
  const paths = value.type.name === "google.protobuf.FieldMask" ? (value.fields.get("paths") ?? []) : undefined;
  if (isList(paths ?? null)) return (paths as string[]).join(",");
  throw new EvaluationError(`unsupported type conversion from '${value.type.name}' to google.protobuf.Value`);
}

function jsonKey(key: MapKey): string {
  if (typeof key === "string") return key;
  throw new EvaluationError("bad key type");
}

function nativeName(kind: FieldKind): string {
  if (typeof kind === "string") return nativeNames.get(kind) ?? kind;
  if ("wrapper" in kind) return nativeName(kind.wrapper);
  if ("enum" in kind) return "int32";
  return "message" in kind ? kind.message : "list";
}

const nativeNames = new Map<FieldKind, string>([
  ["double", "float64"],
  ["float", "float32"],
  ["bytes", "[]uint8"],
]);

function conversionProblem(value: Value, target: string): string {
  switch (kindOf(value)) {
    case "int":
    case "uint":
      return `unsupported type conversion from '${kindOf(value)}' to ${target}`;
    case "double":
      return `type conversion error from Double to '${target}'`;
    case "string":
      return `unsupported native conversion from string to '${target}'`;
    default:
      return `type conversion error from '${kindOf(value)}' to '${target}'`;
  }
}
