/** Hides strings in audit entries: the same text has the same hash on one device, and none can be turned back. */
import { createHmac } from "node:crypto";
import { isRawNumber } from "../../lib/json.ts";

export type Hash = (text: string) => string;

export const hashWith =
  (salt: Uint8Array): Hash =>
  (text) =>
    `hmac-sha256:${createHmac("sha256", salt).update(text).digest("hex")}`;

/** A time tells nothing that must be hidden, and is worth reading. */
const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text);

/** The same shape with every string hashed, except under the keys that the mount shows in clear. */
export function hashedStrings(value: unknown, hash: Hash, clear: ReadonlySet<string>): unknown {
  if (typeof value === "string") return isTime(value) ? value : hash(value);
  if (Array.isArray(value)) return value.map((item) => hashedStrings(item, hash, clear));
  if (typeof value !== "object" || value === null || isRawNumber(value)) return value;
  const shown: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    shown[key] = clear.has(key) ? member : hashedStrings(member, hash, clear);
  }
  return shown;
}
