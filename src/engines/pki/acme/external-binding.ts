/** Checks the binding that a new account brings: signed with a key that was fetched for this directory (RFC 8555, 7.3.4). */
import { isJsonObject } from "../../../lib/json.ts";
import { isSignedWithSecret } from "../../../lib/jws/hmac.ts";
import { importJwk } from "../../../lib/jws/key.ts";
import { type Jws, jsonPayload, parseFlattenedJws } from "../../../lib/jws/message.ts";
import { thumbprint } from "../../../lib/jws/thumbprint.ts";
import type { AccountBinding } from "./account.ts";
import { malformed, Problem } from "./problem.ts";
import type { KeyRequest } from "./signed.ts";

const macAlgorithms = ["HS256", "HS384", "HS512"];

/** Uses the binding up: it is gone with the transaction that makes the account. */
export async function useBinding(given: unknown, request: KeyRequest): Promise<AccountBinding> {
  if (!isJsonObject(given)) throw malformed("externalAccountBinding is a JWS");
  const jws = parseFlattenedJws(given);
  const kid = requireForm(jws, request);
  const binding = await request.acme.bindings.get(kid);
  // One answer for all that could be wrong with the secret: nobody learns which ids exist.
  const refused = new Problem(
    "unauthorized",
    "the external account binding is not known, used, or not for this directory",
  );
  if (!binding || binding.acme_directory !== `${request.directory.path}/directory`) throw refused;
  if (!isSignedWithSecret(jws, Buffer.from(binding.key, "base64url"))) throw refused;
  request.acme.bindings.delete(binding.id);
  return { id: binding.id, jws: given };
}

function requireForm(jws: Jws, { url, key }: KeyRequest): string {
  const { alg, kid, all } = jws.header;
  if (!macAlgorithms.includes(alg)) throw malformed(`the binding is signed with one of ${macAlgorithms.join(", ")}`);
  if (kid === undefined) throw malformed("the header of the binding has no kid");
  if (all["nonce"] !== undefined) throw malformed("the header of the binding has a nonce, and must have none");
  if (all["url"] !== url) throw new Problem("unauthorized", "the url of the binding is not that of the request");
  if (thumbprint(importJwk(jsonPayload(jws))) !== thumbprint(key)) {
    throw malformed("the binding is for another key than the one that signs the request");
  }
  return kid;
}
