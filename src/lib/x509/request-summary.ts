/** A request as a plain object, in the shape that CEL programs know as `parsed_csr`. */
import type { CertificateRequest } from "./certificate-request.ts";

/** Subject{CommonName, Country[], …}, DNSNames, EmailAddresses, IPAddresses, URIs, Extensions{oid: bytes}, PublicKeyAlgorithm, SignatureAlgorithm, Raw…. */
export function requestSummary(_request: CertificateRequest): Readonly<Record<string, unknown>> {
  throw new Error("not written yet");
}
