/** Fields of messages and maps by name: `a.b` and `has(a.b)`. */
import { knowsPresence } from "./build-message.ts";
import { EvaluationError, noSuchOverload } from "./errors.ts";
import { type FieldType, isZero, Message, type MessageType, zeroOf } from "./message.ts";
import { CelMap, Optional, Special, type Value } from "./values.ts";

export type Messages = ReadonlyMap<string, MessageType>;

export function selectField(operand: Value, field: string, messages: Messages): Value {
  // What comes from outside is met most.
  if (isPlainMap(operand)) {
    const value = Object.hasOwn(operand, field) ? operand[field] : undefined;
    if (value !== undefined) return value;
    throw new EvaluationError(`no such key: ${field}`);
  }
  if (operand instanceof CelMap) {
    const value = operand.get(field);
    if (value === undefined) throw new EvaluationError(`no such key: ${field}`);
    return value;
  }
  if (operand instanceof Message) {
    const declared = fieldOf(operand, field);
    return operand.fields.get(field) ?? zeroOf(declared, (name) => messages.get(name));
  }
  if (operand instanceof Optional) return optionalField(operand, field, messages);
  throw noSuchOverload();
}

export function hasField(operand: Value, field: string, messages: Messages): boolean {
  if (isPlainMap(operand)) return Object.hasOwn(operand, field) && operand[field] !== undefined;
  if (operand instanceof CelMap) return operand.has(field);
  if (operand instanceof Message) {
    const declared = fieldOf(operand, field);
    const value = operand.fields.get(field);
    return value !== undefined && (knowsPresence(declared.kind, declared.hasPresence) || !isZero(value));
  }
  if (operand instanceof Optional) return operand.value !== undefined && hasField(operand.value, field, messages);
  throw noSuchOverload();
}

/** `a.?b`: the field if it is there. */
export function optionalField(operand: Value, field: string, messages: Messages): Optional {
  const inner = operand instanceof Optional ? operand.value : operand;
  if (inner === undefined || !hasField(inner, field, messages)) return Optional.none;
  return new Optional(selectField(inner, field, messages));
}

const isPlainMap = (value: Value): value is Readonly<Record<string, Value>> =>
  typeof value === "object" &&
  value !== null &&
  !(value instanceof Special) &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);

function fieldOf(message: Message, field: string): FieldType {
  const declared = Object.hasOwn(message.type.fields, field) ? message.type.fields[field] : undefined;
  if (declared === undefined) throw new EvaluationError(`no such field: ${field}`);
  return declared;
}
