/** Proves a name by a TXT record below it (RFC 8555, section 8.4). */
import { Problem } from "../problem.ts";
import { keyAuthorizationDigest, type Proof } from "./proof.ts";
import { asking, resolverOf } from "./targets.ts";

export async function validateDns(proof: Proof): Promise<void> {
  const name = `_acme-challenge.${proof.identifier.value}`;
  const records = await asking(() => resolverOf(proof).texts(name, proof.signal));
  const expected = keyAuthorizationDigest(proof).toString("base64url");
  if (records.includes(expected)) return;
  throw new Problem(
    records.length === 0 ? "dns" : "incorrectResponse",
    records.length === 0 ? `there is no TXT record at ${name}` : `no TXT record at ${name} has the expected value`,
  );
}
