/** Reaching into lists and maps. */
import { EvaluationError } from "./errors.ts";
import { CelMap, isList, isMap, mapGet, Uint, type Value } from "./values.ts";

export function index(container: Value, key: Value): Value {
  if (isList(container)) {
    const at = listIndex(key);
    const element = container[at];
    if (element === undefined) throw new EvaluationError(`index out of bounds: ${keyText(key)}`);
    return element;
  }
  const value = isMap(container) ? mapGet(container, key) : undefined;
  if (value === undefined) throw noSuchKey(container, key);
  return value;
}

/** The same, or nothing. */
export function optionalIndex(container: Value, key: Value): Value | undefined {
  if (isList(container)) return container[listIndex(key)];
  return isMap(container) ? mapGet(container, key) : undefined;
}

function listIndex(key: Value): number {
  const value = key instanceof Uint ? key.value : key;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "number") throw new EvaluationError(`unsupported index value: ${value}`);
  throw new EvaluationError(`unsupported index type '${typeof value}' in list`);
}

function noSuchKey(container: Value, key: Value): EvaluationError {
  const isKey = typeof key !== "object" || key instanceof Uint;
  if (!isKey || (typeof key === "number" && container instanceof CelMap && !Number.isInteger(key))) {
    return new EvaluationError(isKey ? `no such key: ${keyText(key)}` : "unsupported key type");
  }
  return new EvaluationError(`no such key: ${keyText(key)}`);
}

export const keyText = (key: Value): string => (key instanceof Uint ? String(key.value) : String(key));
