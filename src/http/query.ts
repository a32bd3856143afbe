/** Reads a query string or a form, and the switches in it. */
import { ApiError, invalidRequest } from "../api/errors.ts";

/** Without a prototype, so that a key may have any name. A repeated key has all its values. */
export type Query = { [key: string]: string | string[] };

/** Takes what follows the question mark. */
export function parseQuery(text: string): Query {
  const query: Query = Object.create(null);
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const key = decoded(equals === -1 ? pair : pair.slice(0, equals));
    add(query, key, equals === -1 ? "" : decoded(pair.slice(equals + 1)));
  }
  return query;
}

function add(query: Query, key: string, value: string): void {
  const before = query[key];
  if (before === undefined) query[key] = value;
  else if (typeof before === "string") query[key] = [before, value];
  else before.push(value);
}

function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalidRequest("the query has an escape that is not % and two hexadecimal digits of valid UTF-8");
  }
}

/** The spellings that the peers' servers accept; hvac really sends `True`. */
const switches: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

/** `?list=true`, `?scan=true`, `?help=1`. Absent or empty is off; clients expect no words with the refusal. */
export function readSwitch(query: Readonly<Query> | undefined, name: string): boolean {
  const value = query?.[name];
  if (value === undefined || value === "") return false;
  const isOn = typeof value === "string" ? switches.get(value) : undefined;
  if (isOn === undefined) throw new ApiError(400, []);
  return isOn;
}
