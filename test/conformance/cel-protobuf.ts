/** Declares protocol buffer types to our engine and turns their messages into its values, for the official vectors. */
import {
  type DescExtension,
  type DescField,
  type DescMessage,
  fromBinary,
  getExtension,
  hasExtension,
  type Message as ProtoMessage,
  type Registry,
  ScalarType,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type EnumType, type FieldKind, type FieldType, Message, type MessageType } from "../../src/lib/cel/message.ts";
import { CelMap, Duration, type MapKey, Timestamp, Uint, type Value } from "../../src/lib/cel/values.ts";

const scalarKinds = new Map<ScalarType, FieldKind & string>([
  [ScalarType.BOOL, "bool"],
  [ScalarType.INT32, "int32"],
  [ScalarType.SINT32, "int32"],
  [ScalarType.SFIXED32, "int32"],
  [ScalarType.INT64, "int64"],
  [ScalarType.SINT64, "int64"],
  [ScalarType.SFIXED64, "int64"],
  [ScalarType.UINT32, "uint32"],
  [ScalarType.FIXED32, "uint32"],
  [ScalarType.UINT64, "uint64"],
  [ScalarType.FIXED64, "uint64"],
  [ScalarType.FLOAT, "float"],
  [ScalarType.DOUBLE, "double"],
  [ScalarType.STRING, "string"],
  [ScalarType.BYTES, "bytes"],
]);

const messageKinds = new Map<string, FieldKind>([
  ["google.protobuf.Timestamp", "timestamp"],
  ["google.protobuf.Duration", "duration"],
  ["google.protobuf.Any", "any"],
  ["google.protobuf.Value", "value"],
  ["google.protobuf.Struct", "struct"],
  ["google.protobuf.ListValue", "listValue"],
  ["google.protobuf.BoolValue", { wrapper: "bool" }],
  ["google.protobuf.BytesValue", { wrapper: "bytes" }],
  ["google.protobuf.DoubleValue", { wrapper: "double" }],
  ["google.protobuf.FloatValue", { wrapper: "float" }],
  ["google.protobuf.Int32Value", { wrapper: "int32" }],
  ["google.protobuf.Int64Value", { wrapper: "int64" }],
  ["google.protobuf.StringValue", { wrapper: "string" }],
  ["google.protobuf.UInt32Value", { wrapper: "uint32" }],
  ["google.protobuf.UInt64Value", { wrapper: "uint64" }],
]);

export interface Declared {
  readonly messages: readonly MessageType[];
  readonly enums: readonly EnumType[];
}

export function declareAll(registry: Registry): Declared {
  const messages: MessageType[] = [];
  const enums: EnumType[] = [];
  const extensions = new Map<string, Record<string, FieldType>>();
  for (const type of registry) {
    if (type.kind !== "extension") continue;
    const fields = extensions.get(type.extendee.typeName) ?? {};
    fields[type.typeName] = fieldType(type);
    extensions.set(type.extendee.typeName, fields);
  }
  for (const type of registry) {
    if (type.kind === "message" && !messageKinds.has(type.typeName)) {
      const own = Object.fromEntries(type.fields.map((field) => [field.name, fieldType(field)]));
      messages.push({ name: type.typeName, fields: { ...own, ...extensions.get(type.typeName) } });
    }
    if (type.kind === "enum") {
      enums.push({
        name: type.typeName,
        values: Object.fromEntries(type.values.map((each) => [each.name, each.number])),
      });
    }
  }
  return { messages, enums };
}

const formerName = (name: string): string =>
  name.replace(/^cel\.expr\.conformance\.(proto[23])\./, "google.expr.$1.test.");

export function formerNames({ messages, enums }: Declared): Declared {
  const rename = (kind: FieldKind): FieldKind => {
    if (typeof kind === "string" || "wrapper" in kind) return kind;
    if ("message" in kind) return { message: formerName(kind.message) };
    if ("enum" in kind) return { enum: formerName(kind.enum) };
    return "list" in kind ? { list: rename(kind.list) } : { map: [rename(kind.map[0]), rename(kind.map[1])] };
  };
  return {
    messages: messages.map(({ name, fields }) => ({
      name: formerName(name),
      fields: Object.fromEntries(
        Object.entries(fields).map(([key, field]) => [key, { ...field, kind: rename(field.kind) }]),
      ),
    })),
    enums: enums.map(({ name, values }) => ({ name: formerName(name), values })),
  };
}

type AnyField = DescField | DescExtension;

const implicitPresence = 2;

function fieldType(field: AnyField): FieldType {
  const initial = field.fieldKind === "scalar" || field.fieldKind === "enum" ? field.getDefaultValue() : undefined;
  return {
    kind: fieldKind(field),
    hasPresence: field.presence !== implicitPresence,
    ...(initial !== undefined && { default: scalarValue(field, initial) }),
    ...(field.oneof !== undefined && { oneOf: field.oneof.name }),
  };
}

function fieldKind(field: AnyField): FieldKind {
  if (field.fieldKind === "scalar") return scalarKinds.get(field.scalar)!;
  if (field.fieldKind === "enum") return { enum: field.enum.typeName };
  if (field.fieldKind === "message") return messageKind(field.message);
  if (field.fieldKind === "list") return { list: elementKind(field) };
  return { map: [scalarKinds.get(field.mapKey)!, elementKind({ ...field, listKind: field.mapKind })] };
}

interface ElementField {
  readonly listKind: "scalar" | "enum" | "message";
  readonly scalar: ScalarType | undefined;
  readonly enum: { readonly typeName: string } | undefined;
  readonly message: DescMessage | undefined;
}

function elementKind(field: ElementField): FieldKind {
  if (field.listKind === "scalar") return scalarKinds.get(field.scalar!)!;
  return field.listKind === "enum" ? { enum: field.enum!.typeName } : messageKind(field.message!);
}

const messageKind = (type: DescMessage): FieldKind => messageKinds.get(type.typeName) ?? { message: type.typeName };

function scalarValue(field: AnyField, value: unknown): Value {
  if (field.fieldKind === "enum") return BigInt(value as number);
  return celScalar(scalarKinds.get(field.scalar as ScalarType)!, value);
}

function celScalar(kind: FieldKind & string, value: unknown): Value {
  if (kind.startsWith("int")) return BigInt(value as bigint);
  if (kind.startsWith("uint")) return new Uint(BigInt(value as bigint));
  return value as Value;
}

const unknownContent: MessageType = { name: "google.protobuf.Any", fields: { value: { kind: "bytes" } } };

export class Converter {
  readonly #registry: Registry;
  readonly #messages: ReadonlyMap<string, MessageType>;

  constructor(registry: Registry, messages: readonly MessageType[]) {
    this.#registry = registry;
    this.#messages = new Map(messages.map((message) => [message.name, message]));
  }

  unpack = (typeUrl: string, bytes: Uint8Array): Value => {
    const type = this.#registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
    // Compared byte by byte when nobody knows what it is.
    if (type === undefined) return new Message(unknownContent, new Map([["value", bytes]]));
    return this.value(type, fromBinary(type, bytes));
  };

  value(type: DescMessage, message: ProtoMessage): Value {
    const special = this.#special(type, message);
    if (special !== undefined) return special;
    const reflected = reflect(type, message);
    const fields = new Map<string, Value>();
    for (const field of type.fields) {
      if (reflected.isSet(field)) fields.set(field.name, this.#field(field, reflected));
    }
    for (const extension of this.#registry) {
      if (extension.kind !== "extension" || extension.extendee.typeName !== type.typeName) continue;
      if (!hasExtension(message, extension)) continue;
      fields.set(extension.typeName, this.#extension(extension, getExtension(message, extension)));
    }
    return new Message(this.#messages.get(type.typeName)!, fields);
  }

  // biome-ignore lint/suspicious/noExplicitAny: well-known messages have fields that the general type does not show.
  #special(type: DescMessage, message: any): Value | undefined {
    const kind = messageKinds.get(type.typeName);
    if (kind === undefined) return undefined;
    if (typeof kind === "object") return celScalar("wrapper" in kind ? kind.wrapper : "bool", message.value);
    const nanoseconds = () => message.seconds * 1_000_000_000n + BigInt(message.nanos);
    if (kind === "timestamp") return new Timestamp(nanoseconds());
    if (kind === "duration") return new Duration(nanoseconds());
    if (kind === "any") return this.unpack(message.typeUrl, message.value);
    return this.#json(kind, message);
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above.
  #json(kind: FieldKind, message: any): Value {
    if (kind === "listValue") return message.values.map((each: unknown) => this.#json("value", each));
    if (kind === "struct") {
      const fields: [string, unknown][] = Object.entries(message.fields);
      return CelMap.of(fields.map(([key, value]) => [key, this.#json("value", value)]));
    }
    const { case: which, value } = message.kind;
    if (which === "structValue") {
      const entries = Object.entries(value.fields ?? value) as [string, unknown][];
      return CelMap.of(entries.map(([key, each]) => [key, this.#json("value", each)]));
    }
    if (which === "listValue") return this.#json("listValue", value);
    return which === "nullValue" || which === undefined ? null : value;
  }

  #field(field: DescField, reflected: ReflectMessage): Value {
    const value = reflected.get(field);
    if (field.fieldKind === "list") {
      const list = [...(value as Iterable<unknown>)];
      return list.map((each) => this.#element(field, field.listKind, each));
    }
    if (field.fieldKind === "map") {
      const entries = [...(value as Iterable<[unknown, unknown]>)];
      const keyKind = scalarKinds.get(field.mapKey)!;
      return CelMap.of(
        entries.map(([key, each]) => [celScalar(keyKind, key) as MapKey, this.#element(field, field.mapKind, each)]),
      );
    }
    return this.#element(field, field.fieldKind, value);
  }

  #extension(extension: DescExtension, value: unknown): Value {
    const one = (each: unknown): Value => {
      if (extension.enum !== undefined) return BigInt(each as number);
      if (extension.message !== undefined) return this.value(extension.message, each as ProtoMessage);
      return celScalar(scalarKinds.get(extension.scalar!)!, each);
    };
    return extension.fieldKind === "list" ? (value as unknown[]).map(one) : one(value);
  }

  #element(field: DescField, kind: "scalar" | "enum" | "message", value: unknown): Value {
    if (kind === "scalar") return celScalar(scalarKinds.get(field.scalar as ScalarType)!, value);
    if (kind === "enum") return BigInt(value as number);
    const nested = value as ReflectMessage;
    if (nested.desc === undefined) return this.#json("struct", { fields: value });
    return this.value(nested.desc, nested.message);
  }
}
