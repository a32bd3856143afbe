/** How connections are told whom to trust, and by which certificate to be known. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { invalidRequest } from "../../../api/errors.ts";
import { flag, text, type Values, writeOnly } from "../../../api/fields.ts";
import type { OutboundTls } from "../../../api/outbound.ts";
import type { PluginTools } from "../plugin.ts";

export const tlsSettings = {
  ca_cert: text("PEM of the authorities that the server's certificate is verified with").default(""),
  ca_path: text("File with PEM of authorities, on the machine of this server; may be combined with ca_cert").default(
    "",
  ),
  client_cert: text("PEM of the certificate to be known by; set together with client_key").default(""),
  client_key: writeOnly(text("PEM of the key of client_cert").default("")),
  tls_server_name: text("Name to ask for and to verify in place of the URL's host").default(""),
  insecure: flag("Trust any certificate; for development only").default(false),
};

export async function readTls(settings: Values<typeof tlsSettings>, tools: PluginTools): Promise<OutboundTls> {
  const { ca_cert, ca_path, client_cert, client_key, tls_server_name, insecure } = settings;
  const ca = [
    ...(ca_cert === "" ? [] : [requireCertificates(ca_cert, "ca_cert")]),
    ...(ca_path === "" ? [] : [requireCertificates(await tools.readText(ca_path), "the file named by ca_path")]),
  ];
  return {
    ...(ca.length > 0 && { ca }),
    ...clientPair(client_cert, client_key),
    ...(tls_server_name !== "" && { serverName: tls_server_name }),
    insecure,
  };
}

/** Both or neither, and made for one another. */
function clientPair(cert: string, key: string): { cert?: string; key?: string } {
  if (cert === "" && key === "") return {};
  if (cert === "" || key === "") throw invalidRequest("client_cert and client_key must be set together");
  requireCertificates(cert, "client_cert");
  if (!isKeyOf(key, cert)) throw invalidRequest("client_key is not a PEM private key that belongs to client_cert");
  return { cert, key };
}

function isKeyOf(key: string, cert: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function requireCertificates(pem: string, what: string): string {
  try {
    new X509Certificate(pem);
    return pem;
  } catch {
    throw invalidRequest(`${what} holds no PEM certificate`);
  }
}
