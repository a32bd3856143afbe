/** Which certificates lead from each issuer up to a root. */
import { chainsOf } from "../../lib/x509/issuing.ts";
import type { Issuer } from "./issuer.ts";

/** Ids of each issuer's chain, itself first; one that was set by hand stays as it was set. */
export function chainsAmong(issuers: readonly Issuer[]): Map<Issuer, readonly string[]> {
  const automatic = chainsOf(issuers.map(({ certificate }) => certificate));
  const chains = new Map<Issuer, readonly string[]>();
  for (const [index, issuer] of issuers.entries()) {
    const chain = automatic[index]!.map((at) => issuers[at]!.id);
    chains.set(issuer, issuer.manual_chain.length > 0 ? issuer.manual_chain : chain);
  }
  return chains;
}
