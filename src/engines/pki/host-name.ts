/** Host names as certificates carry them. */
import { domainToASCII } from "node:url";

const longestName = 253;

/** In ASCII, as the DNS spells it: `bücher.example` is `xn--bcher-kva.example`. Undefined for what has no such form. */
export function asciiName(name: string): string | undefined {
  // Names that are plain already keep their letter case and anything odd, which other rules judge.
  if (/^[\x21-\x7e]*$/.test(name)) return name;
  const { wildcard, rest } = splitWildcard(name);
  const ascii = domainToASCII(rest);
  return ascii === "" ? undefined : wildcard + ascii;
}

const splitWildcard = (name: string) =>
  name.startsWith("*.") ? { wildcard: "*.", rest: name.slice(2) } : { wildcard: "", rest: name };

const isLabel = (label: string): boolean =>
  label.length > 0 &&
  label.length <= 63 &&
  /^[a-zA-Z0-9-]+$/.test(label) &&
  !label.startsWith("-") &&
  !label.endsWith("-");

/** Labels of letters, digits and hyphens; a dot at the end is allowed. No wildcard. */
export function isHostName(name: string): boolean {
  const ascii = asciiName(name);
  if (ascii === undefined || ascii.length > longestName) return false;
  const labels = (ascii.endsWith(".") ? ascii.slice(0, -1) : ascii).split(".");
  return labels.every(isLabel);
}

/** `*.example.com`, or with text around the star; `rest` is what follows the first label. */
export interface Wildcard {
  readonly label: string;
  readonly rest: string;
}

/** Undefined for a name whose star is not in its first label, is not the only one, or stands alone (RFC 6125, 6.4.3). */
export function wildcardOf(name: string): Wildcard | undefined {
  const dot = name.indexOf(".");
  if (dot < 0 || name.indexOf("*") > dot || name.indexOf("*") !== name.lastIndexOf("*")) return undefined;
  const wildcard = { label: name.slice(0, dot), rest: name.slice(dot + 1) };
  return wildcard.rest === "" ? undefined : wildcard;
}

/** What goes into certificates by itself: host names, and `*.` in front of one. */
export const isPlainDnsName = (name: string): boolean => isHostName(name.startsWith("*.") ? name.slice(2) : name);
