/** Answers of the OCSP service, built. RFC 6960, section 4.2. */
import type { CertificateId } from "./ocsp-request.ts";
import type { Signer } from "./signature.ts";

export type OcspStatus =
  | { readonly status: "good" }
  | { readonly status: "unknown" }
  | { readonly status: "revoked"; readonly at: Date; readonly reason?: number | undefined };

export type OcspAnswer = OcspStatus & {
  readonly certificate: CertificateId;
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date | undefined;
};

export interface OcspResponseFields {
  /** Who answers: by subject name (DER), or by key id (SHA-1 of the key bits). */
  readonly responder: { readonly name: Uint8Array } | { readonly keyId: Uint8Array };
  readonly producedAt: Date;
  readonly answers: readonly OcspAnswer[];
  /** Echoed from the request. */
  readonly nonce?: Uint8Array | undefined;
  /** DER of a delegated responder's certificate. */
  readonly certificates?: readonly Uint8Array[];
}

/** A successful response in DER. */
export function buildOcspResponse(_fields: OcspResponseFields, _signer: Signer): Uint8Array {
  throw new Error("not written yet");
}

/** Whole responses that say only what went wrong; nobody signs them. */
export const ocspErrors = {
  malformedRequest: Buffer.from("30030a0101", "hex"),
  internalError: Buffer.from("30030a0102", "hex"),
  tryLater: Buffer.from("30030a0103", "hex"),
  signatureRequired: Buffer.from("30030a0105", "hex"),
  unauthorized: Buffer.from("30030a0106", "hex"),
} as const;
