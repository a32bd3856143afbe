/** Which certificate signed which. */
import type { Certificate } from "./certificate.ts";

/** By names, key identifiers where both have them, and the signature. */
export function isIssuedBy(_certificate: Certificate, _issuer: Certificate): boolean {
  throw new Error("not written yet");
}

/** Issuer and subject are the same name; the key need not be. */
export function isSelfIssued(_certificate: Certificate): boolean {
  throw new Error("not written yet");
}

/** Verifies under its own key. */
export function isSelfSigned(_certificate: Certificate): boolean {
  throw new Error("not written yet");
}

/**
 * The chain of each certificate among `authorities`: itself, then its parents (self-signed ones first), each followed by its own
 * chain, without duplicates. Keys are positions in `authorities`.
 */
export function chainsOf(_authorities: readonly Certificate[]): number[][] {
  throw new Error("not written yet");
}
