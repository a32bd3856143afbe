/** Values in templates: JSON data and whole numbers. How they are named, judged true or false, and printed. */

/** Whole numbers that templates make are bigints; those of JSON data are numbers. */
export type Value = string | bigint | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };
export type ValueMap = { readonly [key: string]: Value };

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ValueMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function typeName(value: Value): string {
  if (value === null) return "nil";
  if (isList(value)) return "list";
  if (isMap(value)) return "map";
  return typeof value === "bigint" ? "integer" : typeof value;
}

export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (isMap(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

const noValue = "<no value>";

/** As an action prints it, and `%v`. */
export function textOf(value: Value): string {
  if (value === null) return noValue;
  if (isList(value)) return `[${value.map(innerText).join(" ")}]`;
  if (isMap(value)) {
    const entries = Object.keys(value).sort();
    return `map[${entries.map((key) => `${key}:${innerText(value[key]!)}`).join(" ")}]`;
  }
  return typeof value === "number" ? numberText(value) : String(value);
}

const innerText = (value: Value) => (value === null ? "<nil>" : textOf(value));

/** A whole number in JSON data is printed with its digits: `1e+06` would be of no use in a name. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  return String(value);
}
