/** A JSON value as text in one cell of a table, the way that people know it from similar tools. */
import { formatDuration } from "../../lib/duration.ts";
import { isJsonObject, isRawNumber } from "../../lib/json.ts";

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(cellText).join(" ")}]`;
  if (isJsonObject(value))
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${cellText(value[key])}`)
      .join(" ")}]`;
  return String(value);
}

export const sortedKeys = (object: object): string[] => Object.keys(object).sort();

/** Names whose numbers are seconds. */
const durationName = /(?:^|_)(?:ttl|period|duration)$|^(?:lease_max|ttl_max)$/;

/** As `cellText`, but a lifetime reads `768h` in place of 2764800. */
export const namedCellText = (name: string, value: unknown): string =>
  durationName.test(name) && typeof value === "number" ? humanDuration(value) : cellText(value);

/** `768h`, not `768h0m0s`. */
export function humanDuration(seconds: number): string {
  const text = formatDuration(seconds);
  const minutes = text.endsWith("m0s") ? text.slice(0, -2) : text;
  return minutes.endsWith("h0m") ? minutes.slice(0, -2) : minutes;
}
