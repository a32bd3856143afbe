/** Names and ids as parts of storage keys. */
import { hash } from "node:crypto";
import { invalidRequest } from "../api/errors.ts";

const longestName = 512;

/** Names differ in more than the case of their letters: `Ada` and `ada` are one. */
const folded = (name: string): string => name.toLowerCase();

/** A name as one level of a key. The order of keys is the order of names, since `.0` and `.1` stand where `.` and `/` do. */
export const nameKey = (name: string): string => folded(name).replace(/[./]/g, (sign) => (sign === "." ? ".0" : ".1"));

/** What a mount calls somebody. Hashed: it may be of any length, and nobody lists by it. */
export const aliasNameKey = (mountAccessor: string, name: string): string =>
  hash("sha256", `${mountAccessor}\0${folded(name)}`, "hex");

/** Whether a name can be stored at all; what cannot be stored cannot be found either. */
export const isStorable = (name: string): boolean =>
  name !== "" && name.isWellFormed() && Buffer.byteLength(name) <= longestName;

export function requireStorable(name: string): void {
  requireWellFormed(name);
  const bytes = Buffer.byteLength(name);
  if (bytes > longestName)
    throw invalidRequest(`the name is ${bytes} bytes long, and at most ${longestName} are allowed`);
}

/** Half a surrogate pair has no bytes of its own: two different names would become one. */
export function requireWellFormed(name: string): void {
  if (!name.isWellFormed()) throw invalidRequest("the name holds half of a surrogate pair, which has no UTF-8 form");
}

/** Whether a text has the form of the ids that are given out here; others name nothing. */
export const isId = (text: string): boolean => /^[\w.-]{1,128}$/.test(text);
