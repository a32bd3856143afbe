/** Keys of certificates: kinds and sizes, generation, and the identifier that certificates carry. */
import type { KeyObject } from "node:crypto";

export type KeyType = "rsa" | "ec" | "ed25519" | "ml-dsa";

/** `bits`: modulus of RSA, curve of EC (224, 256, 384, 521), parameter set of ML-DSA (44, 65, 87), 0 for Ed25519. */
export interface KeyKind {
  readonly type: KeyType;
  readonly bits: number;
}

export interface PublicKey {
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Uint8Array;
  /** The content of its bit string, which key identifiers and OCSP hash. */
  readonly keyBits: Uint8Array;
  readonly kind: KeyKind;
  readonly key: KeyObject;
}

/** A private key, made off the event loop. Throws an X509Error for a kind that is not supported. */
export function generateKey(_kind: KeyKind): Promise<KeyObject> {
  throw new Error("not written yet");
}

/** Throws for keys of other kinds (DSA, X25519, odd curves). */
export function kindOf(_key: KeyObject): KeyKind {
  throw new Error("not written yet");
}

/** From a SubjectPublicKeyInfo. Throws an X509Error for kinds that are not supported. */
export function parsePublicKey(_spki: Uint8Array): PublicKey {
  throw new Error("not written yet");
}

/** The public half of a private (or public) key. */
export function publicKeyOf(_key: KeyObject): PublicKey {
  throw new Error("not written yet");
}

/** SHA-1 of the key bits: 20 bytes for SKI and AKI (RFC 5280, 4.2.1.2, method 1). */
export function keyIdOf(_key: PublicKey): Uint8Array {
  throw new Error("not written yet");
}

export function isSamePublicKey(a: PublicKey, b: PublicKey): boolean {
  return Buffer.compare(a.spki, b.spki) === 0;
}
