/** Answers of the OCSP service, built. RFC 6960, section 4.2. */
import { generalizedTime } from "../der/time.ts";
import { bitString, enumerated, explicit, implicit, objectIdentifier, octetString, sequence } from "../der/writer.ts";
import { extension, extensionIds } from "./extension.ts";
import type { CertificateId } from "./ocsp-request.ts";
import type { Signer } from "./signature.ts";
import { writing } from "./x509-error.ts";

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

const basicResponse = objectIdentifier("1.3.6.1.5.5.7.48.1.1");
const good = implicit(0, new Uint8Array());
const unknown = implicit(2, new Uint8Array());

/** A successful response in DER. */
export function buildOcspResponse(fields: OcspResponseFields, signer: Signer): Uint8Array {
  const toBeSigned = writing("OCSP response", () => buildResponseData(fields));
  const { algorithm } = signer;
  const certificates = fields.certificates ?? [];
  const basic = sequence(
    toBeSigned,
    algorithm.der,
    bitString(signer.sign(toBeSigned)),
    ...(certificates.length > 0 ? [explicit(0, sequence(...certificates))] : []),
  );
  return sequence(enumerated(0), explicit(0, sequence(basicResponse, octetString(basic))));
}

function buildResponseData({ responder, producedAt, answers, nonce }: OcspResponseFields): Uint8Array {
  const extensions = nonce
    ? [explicit(1, sequence(extension(extensionIds.ocspNonce, false, octetString(nonce)).der))]
    : [];
  return sequence(
    "name" in responder ? explicit(1, responder.name) : explicit(2, octetString(responder.keyId)),
    generalizedTime(producedAt),
    sequence(...answers.map(encodeAnswer)),
    ...extensions,
  );
}

const encodeAnswer = (answer: OcspAnswer): Uint8Array =>
  sequence(
    answer.certificate.der,
    encodeStatus(answer),
    generalizedTime(answer.thisUpdate),
    ...(answer.nextUpdate ? [explicit(0, generalizedTime(answer.nextUpdate))] : []),
  );

function encodeStatus(answer: OcspStatus): Uint8Array {
  if (answer.status === "good") return good;
  if (answer.status === "unknown") return unknown;
  const reason = answer.reason ? [explicit(0, enumerated(answer.reason))] : [];
  return explicit(1, generalizedTime(answer.at), ...reason);
}

/** Whole responses that say only what went wrong; nobody signs them. */
export const ocspErrors = {
  malformedRequest: Buffer.from("30030a0101", "hex"),
  internalError: Buffer.from("30030a0102", "hex"),
  tryLater: Buffer.from("30030a0103", "hex"),
  signatureRequired: Buffer.from("30030a0105", "hex"),
  unauthorized: Buffer.from("30030a0106", "hex"),
} as const;
