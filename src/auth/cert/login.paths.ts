/** Declares how holders of client certificates log in, and what is asked again when their tokens are renewed. */
import { hash } from "node:crypto";
import type { Connection } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { Login } from "../../api/reply.ts";
import type { TokenFieldValues } from "../../api/token-fields.ts";
import { type Authenticated, authenticate } from "./authentication.ts";
import type { Certificate } from "./certificate.ts";
import { extensionMetadata } from "./entry.ts";
import type { CertServices } from "./services.ts";

const path = pathsFor<CertServices>();

const login = path({
  pattern: "login",
  summary: "Log in with the client certificate of the TLS connection",
  access: "public",
  write: {
    summary: "Log in",
    input: { name: text("Entry to log in by; any that fits if not given").default("") },
    async handler({ name }, { services, request, now }) {
      const found = await authenticate(services, request.clientCertificates(), name, now);
      const config = await services.config.get();
      return loginOf(found, config?.enable_identity_alias_metadata ?? false);
    },
  },
  examples: [{ operation: "write", request: { name: "web" } }],
});

function loginOf({ entry, certificate }: Authenticated, hasAliasMetadata: boolean): Login {
  const { commonName } = certificate;
  const metadata = {
    ...extensionMetadata(certificate, entry.allowed_metadata_extensions),
    cert_name: entry.name,
    common_name: commonName,
    serial_number: String(certificate.serial),
    subject_key_id: colons(certificate.subjectKeyId),
    authority_key_id: colons(certificate.authorityKeyId),
  };
  return new Login({
    // Who has no name gets no entity: other names may be anybody's.
    ...(commonName !== "" && { alias: { name: commonName, ...(hasAliasMetadata && { metadata }) } }),
    displayName: entry.display_name,
    metadata,
    token: entry.token,
    internal: { cert_name: entry.name, identity: identityOf(certificate), policies: entry.token.token_policies },
  });
}

/** What a certificate must keep for its successor to be the same client: the name, or the key where there is none. */
const identityOf = ({ commonName, x509 }: Certificate): string =>
  commonName === ""
    ? `key:${hash("sha256", x509.publicKey.export({ type: "spki", format: "der" }), "hex")}`
    : `name:${commonName}`;

export async function renewLogin(
  { cert_name, identity, policies }: Readonly<Record<string, unknown>>,
  services: CertServices,
  connection?: Connection,
): Promise<TokenFieldValues> {
  const found = await services.entries.find(String(cert_name));
  if (!found) throw invalidRequest("the certificate entry of this token does not exist any more");
  const { token, name } = found.entry;
  if (!(await services.config.get())?.disable_binding) {
    const presented = connection?.clientCertificates() ?? [];
    const { certificate } = await authenticate(services, presented, name, new Date(services.clock.now()));
    if (identityOf(certificate) !== identity) {
      throw invalidRequest("client identity during renewal not matching client identity used during login");
    }
  }
  if (JSON.stringify(token.token_policies) !== JSON.stringify(policies)) {
    throw invalidRequest("policies have changed, not renewing");
  }
  return token;
}

const colons = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(":");

export const loginPaths = [login];
