/** How to reach the holder of an account: mail addresses, one each (RFC 8555, section 7.3). */
import { malformed, Problem } from "./problem.ts";

const mostContacts = 10;
const scheme = "mailto:";

export function readContacts(given: unknown): string[] {
  if (!Array.isArray(given) || !given.every((each) => typeof each === "string")) {
    throw malformed("contact is a list of URLs");
  }
  if (given.length > mostContacts)
    throw new Problem("invalidContact", `an account has at most ${mostContacts} contacts`);
  for (const contact of given) requireContact(contact);
  return given;
}

function requireContact(contact: string): void {
  if (!contact.toLowerCase().startsWith(scheme)) {
    throw new Problem("unsupportedContact", `the contact ${JSON.stringify(contact)} is not a mailto: URL`);
  }
  const address = contact.slice(scheme.length);
  const at = address.lastIndexOf("@");
  const isSound = at > 0 && at < address.length - 1 && address.length <= 254 && !/[?,\s]/.test(address);
  if (!isSound) {
    throw new Problem("invalidContact", `the contact ${JSON.stringify(contact)} is not one mail address without more`);
  }
}
