/** Signature algorithms of certificates: chosen, named, signed with and verified. */
import type { KeyObject } from "node:crypto";
import type { KeyKind, KeyType, PublicKey } from "./key.ts";

/** The names that `revocation_signature_algorithm` uses, and those of ML-DSA. */
export type SignatureName =
  | "SHA256WithRSA"
  | "SHA384WithRSA"
  | "SHA512WithRSA"
  | "SHA256WithRSAPSS"
  | "SHA384WithRSAPSS"
  | "SHA512WithRSAPSS"
  | "ECDSAWithSHA256"
  | "ECDSAWithSHA384"
  | "ECDSAWithSHA512"
  | "Ed25519"
  | "ML-DSA-44"
  | "ML-DSA-65"
  | "ML-DSA-87";

export interface SignatureAlgorithm {
  readonly name: SignatureName;
  readonly keyType: KeyType;
  /** Undefined where the scheme hashes by itself. */
  readonly hash: "sha256" | "sha384" | "sha512" | undefined;
  readonly isPss: boolean;
  /** AlgorithmIdentifier in DER. */
  readonly der: Uint8Array;
}

export interface SignatureWishes {
  /** 0: as fits the key (RSA: 256; EC: the hash of the curve's size). */
  readonly bits?: number;
  readonly pss?: boolean;
}

/** The algorithm for a signing key. `bits` 0, 256, 384 or 512 (X509Error otherwise) and `pss` are obeyed where the key type has the choice. */
export function signatureAlgorithmFor(_kind: KeyKind, _wishes?: SignatureWishes): SignatureAlgorithm {
  throw new Error("not written yet");
}

/** By name, whatever the letter case; also `PureEd25519`. */
export function signatureAlgorithmNamed(_name: string): SignatureAlgorithm | undefined {
  throw new Error("not written yet");
}

/** A private key together with the algorithm that it signs by. */
export interface Signer {
  readonly algorithm: SignatureAlgorithm;
  sign(data: Uint8Array): Uint8Array;
  /** Off the event loop: for large data or slow keys. */
  signLater(data: Uint8Array): Promise<Uint8Array>;
}

/** Throws an X509Error if the algorithm is for another type of key. Without one, the default of the key is used. */
export function signerWith(_key: KeyObject, _algorithm?: SignatureAlgorithm): Signer {
  throw new Error("not written yet");
}

/** False also for algorithms that are unknown, weak (MD5, SHA-1) or of another type of key. `algorithm`: AlgorithmIdentifier DER. */
export function isSignedBy(
  _signed: { algorithm: Uint8Array; data: Uint8Array; signature: Uint8Array },
  _key: PublicKey,
): boolean {
  throw new Error("not written yet");
}
