/** Signatures with a shared secret. Only for messages whose sender is known to hold one, such as account bindings. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Jws } from "./message.ts";

const hashes = new Map([
  ["HS256", "sha256"],
  ["HS384", "sha384"],
  ["HS512", "sha512"],
]);

export function isSignedWithSecret(jws: Jws, secret: Uint8Array): boolean {
  const hash = hashes.get(jws.header.alg);
  if (hash === undefined) return false;
  const expected = createHmac(hash, secret).update(jws.signed).digest();
  return expected.length === jws.signature.length && timingSafeEqual(expected, jws.signature);
}
