/** Names of roles, issuers and keys. */
import { invalidRequest } from "../../api/errors.ts";

const longest = 256;

export const isName = (text: string): boolean => text.length <= longest && /^\w(?:[\w.-]*\w)?$/.test(text);

export function requireName(what: string, text: string): string {
  if (isName(text)) return text;
  throw invalidRequest(
    `the name of ${what} has at most ${longest} letters, digits and the characters _ . -, and begins and ends with a letter, a digit or _`,
  );
}
