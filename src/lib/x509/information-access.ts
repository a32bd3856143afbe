/** Where to find the issuer's certificate, its OCSP service and its revocation lists: AIA, CRL distribution points, freshest CRL. */
import type { Extension } from "./extension.ts";

export interface InformationAccess {
  readonly ocspServers: readonly string[];
  readonly issuingCertificates: readonly string[];
}

export function authorityInfoAccess(_access: InformationAccess): Extension {
  throw new Error("not written yet");
}

/** One distribution point per URL. */
export function crlDistributionPoints(_urls: readonly string[]): Extension {
  throw new Error("not written yet");
}

/** Where the delta of a list (or of the list of a certificate) is. */
export function freshestCrl(_urls: readonly string[]): Extension {
  throw new Error("not written yet");
}

export function parseInformationAccess(_value: Uint8Array): InformationAccess {
  throw new Error("not written yet");
}

/** The URLs of CRL distribution points or of a freshest CRL. */
export function parseDistributionPoints(_value: Uint8Array): string[] {
  throw new Error("not written yet");
}
