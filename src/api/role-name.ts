/** Names of users, roles and other records of auth methods: upper and lower case are one. */
import { invalidRequest } from "./errors.ts";

const longest = 512;

export const foldedName = (name: string): string => name.toLowerCase();

export const isRoleName = (name: string): boolean => name.length <= longest && /^\w(?:[\w.@-]*\w)?$/.test(name);

/** The name in its one spelling, for writing under it. `what` is what carries the name, such as "a user". */
export function requireRoleName(what: string, name: string): string {
  if (isRoleName(name)) return foldedName(name);
  throw invalidRequest(
    `the name of ${what} has at most ${longest} letters, digits and the characters _ . @ -, ` +
      "and begins and ends with a letter, a digit or _",
  );
}
