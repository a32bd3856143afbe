/** Verifies signatures with public keys. Symmetric ones have a module of their own, so that nobody mixes them up. */
import { verify } from "node:crypto";
import { type Algorithm, algorithmNamed } from "./algorithm.ts";
import { JwsError } from "./error.ts";
import type { VerificationKey } from "./key.ts";
import type { Jws } from "./message.ts";

/** The algorithm that the header names. Throws for `none`, symmetric and unknown ones. */
export function algorithmOf({ header }: Jws): Algorithm {
  const algorithm = algorithmNamed(header.alg);
  if (!algorithm) throw new JwsError("unsupported", "the message is signed with an algorithm that is not supported");
  return algorithm;
}

/** Whether the key's kind, and its own word on what it is for, agree with the algorithm. */
export const suits = (key: VerificationKey, algorithm: Algorithm): boolean =>
  key.kind === algorithm.kind && (key.alg === undefined || key.alg === algorithm.name);

/** False also for a key that the algorithm cannot use: the key decides, never the message alone. */
export function isSignedBy(jws: Jws, key: VerificationKey): boolean {
  const algorithm = algorithmOf(jws);
  if (!suits(key, algorithm) || jws.signature.length !== key.signatureLength) return false;
  return verify(algorithm.hash ?? null, jws.signed, { key: key.key, ...algorithm.options }, jws.signature);
}
