/** JSON merge patch (RFC 7396) of objects, without loss: numbers keep their digits, and no key reaches a prototype. */
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";

/** A new object; neither argument is changed, though parts of both may be in the result. */
export function mergePatch(target: Readonly<JsonObject>, patch: Readonly<JsonObject>): JsonObject {
  const merged: JsonObject = Object.create(null);
  for (const name of Object.keys(target)) merged[name] = target[name];
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) delete merged[name];
    else if (isJsonObject(value)) merged[name] = mergePatch(objectOrEmpty(merged[name]), value);
    else merged[name] = value;
  }
  return merged;
}

const empty: JsonObject = Object.freeze(Object.create(null));
const objectOrEmpty = (value: unknown) => (isJsonObject(value) ? value : empty);
