/** Certificates by which clients are known to a database, signed by the authority that a role holds. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import type { CertificateConfig } from "./credential-config.ts";
import type { DatabaseServices } from "./services.ts";

/** Refuses what cannot sign certificates that anybody would accept. */
export async function requireAuthority(cert: string, key: string, refusal: (problem: string) => Error): Promise<void> {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    throw refusal("ca_cert: no data found in PEM block");
  }
  if (!certificate.ca) throw refusal("the given certificate is not marked for CA use");
  let matches = false;
  try {
    matches = certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw refusal("ca_private_key: no PEM private key found");
  }
  if (!matches) throw refusal("ca_private_key does not belong to ca_cert");
}

/** Placeholder until certificates can be written. */
export async function issueClientCertificate(
  _config: CertificateConfig,
  _commonName: string,
  _expires: Date,
  _services: DatabaseServices,
): Promise<{ client_certificate: string; private_key: string; private_key_type: string }> {
  throw invalidRequest("client certificates cannot be issued yet");
}
