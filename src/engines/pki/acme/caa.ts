/** Whether the DNS lets this authority issue for a name: CAA records (RFC 8659), where the operator has given it a name in them. */
import type { AuthorityRecord, Resolver } from "../../../api/network.ts";
import type { Proof } from "./challenges/proof.ts";
import { asking, resolverOf } from "./challenges/targets.ts";
import { Problem } from "./problem.ts";

const known = new Set(["issue", "issuewild", "iodef"]);

export async function requireAuthorityAllowed(proof: Proof, isForWildcard: boolean): Promise<void> {
  const { identifier, settings, signal } = proof;
  if (settings.caa_identities.length === 0 || identifier.type !== "dns") return;
  const records = await asking(() => closestRecords(identifier.value, resolverOf(proof), signal));
  if (!isAllowed(records, settings.caa_identities, isForWildcard)) {
    throw new Problem("caa", `the CAA records of ${identifier.value} do not name this authority`, { identifier });
  }
}

/** Of the name itself, or of the closest name above it that has any. */
async function closestRecords(
  name: string,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<readonly AuthorityRecord[]> {
  const labels = name.split(".");
  for (let from = 0; from < labels.length; from++) {
    const records = await resolver.authorities(labels.slice(from).join("."), signal);
    if (records.length > 0) return records;
  }
  return [];
}

function isAllowed(records: readonly AuthorityRecord[], identities: readonly string[], isForWildcard: boolean) {
  if (records.some(({ isCritical, tag }) => isCritical && !known.has(tag))) return false;
  const tagged = (wanted: string) => records.filter(({ tag }) => tag === wanted);
  const wild = isForWildcard ? tagged("issuewild") : [];
  const relevant = wild.length > 0 ? wild : tagged("issue");
  if (relevant.length === 0) return true;
  const named = relevant.map(({ value }) => (value.split(";", 1)[0] ?? "").trim().toLowerCase());
  return identities.some((identity) => named.includes(identity.toLowerCase()));
}
