/** Ranges of addresses on roles and on secret ids: a secret id may narrow what its role allows, never widen it. */
import { isIPv4 } from "node:net";
import { invalidRequest } from "../../api/errors.ts";
import { containedInAny, isCidr, parseCidr } from "../../lib/cidr.ts";

export function requireCidrs(field: string, texts: readonly string[]): void {
  const wrong = texts.find((text) => !isCidr(text));
  if (wrong === undefined) return;
  throw invalidRequest(
    `invalid CIDR ${JSON.stringify(wrong)} in '${field}': expected a block such as 10.0.0.0/8, or an address`,
  );
}

/** None on the role allows any on the secret id. */
export function requireSubset(onRole: readonly string[], onSecretId: readonly string[]): void {
  if (onRole.length === 0 || onSecretId.every((inner) => onRole.some((outer) => isWithin(inner, outer)))) return;
  throw invalidRequest(
    "failed to verify subset relationship between CIDR blocks on the role " +
      `${quoted(onRole)} and CIDR blocks on the secret ID ${quoted(onSecretId)}`,
  );
}

/** No ranges allow every address. */
export const allows = (ranges: readonly string[], address: string): boolean =>
  ranges.length === 0 || containedInAny(ranges.map(parseCidr), address);

/** Whether all of one range is in the other: its address is, and no fewer bits of it are fixed. */
function isWithin(inner: string, outer: string): boolean {
  const [address = ""] = inner.split("/");
  return parseCidr(outer).contains(address) && fixedBits(inner) >= fixedBits(outer);
}

/** Counted for IPv4 as in IPv6, where addresses of IPv4 begin with 96 bits of their own. */
function fixedBits(range: string): number {
  const [address = "", prefix] = range.trim().split("/");
  if (prefix === undefined) return 128;
  return isIPv4(address) ? Number(prefix) + 96 : Number(prefix);
}

const quoted = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
