/** The certificate policies extension, and those that limit policies. */
import type { Extension } from "./extension.ts";

export interface CertificatePolicy {
  readonly oid: string;
  readonly cps?: string | undefined;
  /** Explicit text of a user notice. */
  readonly notice?: string | undefined;
}

export function certificatePolicies(_policies: readonly CertificatePolicy[]): Extension {
  throw new Error("not written yet");
}

export function parseCertificatePolicies(_value: Uint8Array): CertificatePolicy[] {
  throw new Error("not written yet");
}

/**
 * What roles call `policy_identifiers`: each entry an OID or a JSON object `{"oid", "notice", "cps"}` as text (or as an object).
 * X509Error: `policy identifier "x" is neither a valid OID nor …`.
 */
export function parsePolicyIdentifier(_entry: unknown): CertificatePolicy {
  throw new Error("not written yet");
}

export function inhibitAnyPolicy(_skip: number): Extension {
  throw new Error("not written yet");
}
