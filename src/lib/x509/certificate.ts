/** Certificates: built and signed, and read. RFC 5280, section 4. */
import type { Extension } from "./extension.ts";
import type { ExtensionSet } from "./extension-set.ts";
import type { PublicKey } from "./key.ts";
import type { Name } from "./name.ts";
import type { Signer } from "./signature.ts";

export interface CertificateFields {
  readonly serial: bigint;
  /** Name in DER: of an issuer, `certificate.subject.der`. */
  readonly issuer: Uint8Array;
  /** Name in DER: `encodeSubject(…)`, or that of a request. */
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Extension[];
}

export interface Certificate {
  readonly der: Uint8Array;
  /** What is signed. */
  readonly toBeSigned: Uint8Array;
  readonly serial: bigint;
  readonly issuer: Name;
  readonly subject: Name;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Read at first use; then throws an X509Error for keys of unsupported kinds. */
  readonly publicKey: PublicKey;
  readonly spki: Uint8Array;
  readonly extensions: ExtensionSet;
  /** AlgorithmIdentifier in DER. */
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
}

/** DER. X509Error for two extensions of one kind, or dates outside the years 0 to 9999. */
export function buildCertificate(_fields: CertificateFields, _signer: Signer): Uint8Array {
  throw new Error("not written yet");
}

/** X509Error for anything that is no sound certificate. */
export function parseCertificate(_der: Uint8Array): Certificate {
  throw new Error("not written yet");
}

/** Whether the basic constraints say that it may sign others. */
export const isAuthority = ({ extensions }: Certificate): boolean => extensions.basicConstraints?.isAuthority === true;
