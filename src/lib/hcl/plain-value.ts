/** Turns parsed HCL into plain JavaScript values, for settings that are handed on without being understood. */
import type { Body, Item, Value } from "./syntax-tree.ts";

export type PlainValue = string | number | bigint | boolean | null | PlainValue[] | PlainObject;

/** Has no prototype, so that any key, `__proto__` too, is just a key. */
export interface PlainObject {
  [key: string]: PlainValue;
}

/** Integers that a JavaScript number cannot hold become bigints. */
export function plainValue(value: Value): PlainValue {
  if (value.kind === "object") return plainObject(value);
  if (value.kind === "list") return value.items.map(plainValue);
  if (value.kind === "null") return null;
  if (value.kind === "number") return exactNumber(value.value, value.text);
  return value.value;
}

/**
 * Labels become nested objects: `path "a" { … }` is `{ path: { a: { … } } }`.
 * A block that comes again becomes a list of objects; of other values that come again the last one counts.
 */
export function plainObject(body: Body): PlainObject {
  const result = emptyObject();
  for (const item of body.items) addItem(result, item);
  return result;
}

function addItem(result: PlainObject, { key, labels, value }: Item): void {
  let target = result;
  let name = key;
  for (const label of labels) {
    target = enter(target, name);
    name = label.text;
  }
  const before = target[name];
  const plain = plainValue(value);
  if (value.kind !== "object" || before === undefined) target[name] = plain;
  else if (Array.isArray(before)) before.push(plain);
  else target[name] = isObject(before) ? [before, plain] : plain;
}

function enter(parent: PlainObject, name: string): PlainObject {
  const child = parent[name];
  if (isObject(child)) return child;
  const made = emptyObject();
  if (Array.isArray(child)) child.push(made);
  else parent[name] = made;
  return made;
}

const emptyObject = (): PlainObject => Object.create(null);

const isObject = (value: PlainValue | undefined): value is PlainObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function exactNumber(value: number, text: string): number | bigint {
  if (Number.isSafeInteger(value) || !/^-?[1-9][0-9]*$/.test(text)) return value;
  return BigInt(text);
}
