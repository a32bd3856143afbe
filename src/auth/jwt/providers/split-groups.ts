/** Providers that write groups into one text (SecureAuth with commas, IBM ISAM with spaces). */
import { claimAt, withClaim } from "../claims.ts";
import type { Provider } from "./provider.ts";

export const splitGroups = (separator: string): Provider => ({
  keys: [],
  async completeClaims({ claims, groupsClaim }) {
    const groups = groupsClaim === "" ? undefined : claimAt(claims, groupsClaim);
    return typeof groups === "string" ? withClaim(claims, groupsClaim, groups.split(separator)) : claims;
  },
});
