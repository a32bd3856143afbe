/** Metadata of a secret id, as clients send it: one text that holds a JSON object, or pairs. */
import { invalidRequest } from "../../api/errors.ts";
import { isJsonObject } from "../../lib/json.ts";

/** `{"a":"b"}` or `a=b,c=d`. */
export function parseMetadata(text: string): Record<string, string> {
  if (text.trim() === "") return {};
  const found = fromJson(text) ?? fromPairs(text);
  if (found) return found;
  throw invalidRequest(
    'failed to parse metadata: expected a JSON object of strings such as {"team":"web"}, as one text',
  );
}

function fromJson(text: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value) || !Object.values(value).every((member) => typeof member === "string")) return undefined;
    return value as Record<string, string>;
  } catch {
    return undefined;
  }
}

function fromPairs(text: string): Record<string, string> | undefined {
  const pairs = text.split(",").map((pair) => [pair.slice(0, pair.indexOf("=")).trim(), pair] as const);
  if (pairs.some(([key, pair]) => key === "" || !pair.includes("="))) return undefined;
  return Object.fromEntries(pairs.map(([key, pair]) => [key, pair.slice(pair.indexOf("=") + 1).trim()]));
}
