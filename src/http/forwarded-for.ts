/** Believes `X-Forwarded-For` where the operator trusts the proxy that wrote it. */
import { invalidRequest } from "../api/errors.ts";
import { type Cidr, containedInAny, normalAddress } from "../lib/cidr.ts";

export interface ForwardedForSettings {
  /** Proxies whose header is believed. */
  readonly authorized: readonly Cidr[];
  /** How many of the rightmost entries were written by proxies of our own. */
  readonly hopSkips: number;
  readonly rejectNotPresent: boolean;
  readonly rejectNotAuthorized: boolean;
}

/** The client's address as far as it can be trusted; throws what to answer to a request that must not pass. */
export function clientAddress(settings: ForwardedForSettings, peer: string, headers: readonly string[]): string {
  if (headers.length === 0) {
    if (!settings.rejectNotPresent) return peer;
    throw invalidRequest("missing x-forwarded-for header and configured to reject when not present");
  }
  if (!containedInAny(settings.authorized, peer)) {
    if (!settings.rejectNotAuthorized) return peer;
    throw invalidRequest("client address not authorized for x-forwarded-for and configured to reject connection");
  }
  const chain = headers.flatMap((header) => header.split(","));
  const link = chain[chain.length - 1 - settings.hopSkips];
  // Believing an earlier link instead would believe the client itself.
  if (link === undefined) {
    throw invalidRequest(
      `malformed x-forwarded-for: ${settings.hopSkips} hops to skip, but only ${chain.length} addresses in the header`,
    );
  }
  const address = normalAddress(withoutPort(link.trim()));
  if (address === undefined) throw invalidRequest("malformed x-forwarded-for: not an IP address");
  return address;
}

/** Some proxies add the port: `10.0.0.1:5000`, `[fd00::1]:5000`. */
function withoutPort(link: string): string {
  if (link.startsWith("[")) return link.slice(1, Math.max(link.indexOf("]"), 0));
  const colon = link.indexOf(":");
  return colon !== -1 && colon === link.lastIndexOf(":") ? link.slice(0, colon) : link;
}
