/** Questions to the OCSP service, read. RFC 6960, section 4.1. */
import type { PublicKey } from "./key.ts";

export interface CertificateId {
  /** As it stood, to be echoed. */
  readonly der: Uint8Array;
  readonly hash: "sha1" | "sha256" | "sha384" | "sha512";
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  readonly serial: bigint;
}

export interface OcspRequest {
  readonly certificates: readonly CertificateId[];
  readonly nonce: Uint8Array | undefined;
}

/** X509Error for anything malformed, unknown hashes, a nonce that is empty or longer than 128 bytes, or more than 64 certificates. */
export function parseOcspRequest(_der: Uint8Array): OcspRequest {
  throw new Error("not written yet");
}

/** Whether the question is about a certificate of this issuer. `subject`: its name in DER. */
export function isAskedOf(_id: CertificateId, _issuer: { subject: Uint8Array; publicKey: PublicKey }): boolean {
  throw new Error("not written yet");
}
