/** Fields of messages and maps by name: `a.b` and `has(a.b)`. */
import { knowsPresence } from "./build-message.ts";
import { EvaluationError } from "./errors.ts";
import { type FieldType, isZero, Message, type MessageType, zeroOf } from "./message.ts";
import { CelMap, isList, Optional, Special, type Value } from "./values.ts";

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
  if (operand instanceof Optional) {
    if (operand.value !== undefined && !hasFields(operand.value)) throw noField(operand.value, field);
    return optionalField(operand, field, messages);
  }
  throw noField(operand, field);
}

/** Whatever is no list is asked for a key. */
const noField = (operand: Value, field: string): EvaluationError =>
  new EvaluationError(isList(operand) ? "unsupported index type 'string' in list" : `no such key: ${field}`);

export function hasField(operand: Value, field: string, messages: Messages): boolean {
  if (isPlainMap(operand)) return Object.hasOwn(operand, field) && operand[field] !== undefined;
  if (operand instanceof CelMap) return operand.has(field);
  if (operand instanceof Message) {
    const declared = fieldOf(operand, field);
    const value = operand.fields.get(field);
    return value !== undefined && (knowsPresence(declared.kind, declared.hasPresence) || !isZero(value));
  }
  if (operand instanceof Optional) return operand.value !== undefined && hasField(operand.value, field, messages);
  if (isList(operand)) throw noField(operand, field);
  // What has no fields at all has not this one either: so roles are used to it.
  return false;
}

/** `a.?b`: the field if it is there. */
export function optionalField(operand: Value, field: string, messages: Messages): Optional {
  const inner = operand instanceof Optional ? operand.value : operand;
  if (inner === undefined || !hasField(inner, field, messages)) return Optional.none;
  return new Optional(selectField(inner, field, messages));
}

const hasFields = (value: Value): boolean =>
  isPlainMap(value) || value instanceof CelMap || value instanceof Message || value instanceof Optional;

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
