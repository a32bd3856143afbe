/** Makes what a user proves itself with: what the database is told of it, and what the caller gets. */
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { issueClientCertificate } from "./client-certificate.ts";
import type { Connection } from "./connection.ts";
import type { CertificateConfig, CredentialConfig, PasswordConfig, RsaConfig } from "./credential-config.ts";
import type { AnyPlugin, CredentialType, DatabaseCredential } from "./plugin.ts";
import type { DatabaseServices } from "./services.ts";

export interface MadeCredential {
  readonly forDatabase: DatabaseCredential;
  /** Fields of the answer, besides the user name. */
  readonly shown: Readonly<Record<string, string>>;
}

export interface Wanted {
  readonly type: CredentialType;
  readonly config: CredentialConfig;
  readonly username: string;
  readonly expires: Date;
}

export function requireSupported(type: CredentialType, { credentialTypes }: AnyPlugin): void {
  if (credentialTypes.includes(type)) return;
  throw invalidRequest(
    `unsupported credential_type: ${JSON.stringify(type)}; the plugin supports ${credentialTypes.join(", ")}`,
  );
}

export async function makeCredential(
  { type, config, username, expires }: Wanted,
  connection: Connection,
  services: DatabaseServices,
): Promise<MadeCredential> {
  const plugin = services.databases.pluginOf(connection);
  requireSupported(type, plugin);
  switch (type) {
    case "password": {
      // The database will say which it is.
      if (plugin.makesSecrets) return withPassword("");
      return withPassword(await makePassword((config as PasswordConfig).password_policy, connection, services));
    }
    case "rsa_private_key":
      return makeRsaKey(config as RsaConfig);
    case "client_certificate": {
      const issued = await issueClientCertificate(config as CertificateConfig, username, expires, services);
      return { forDatabase: { type, commonName: username }, shown: { ...issued } };
    }
  }
}

/** The credential with the secret that the database made. */
export const withPassword = (password: string): MadeCredential => ({
  forDatabase: { type: "password", password },
  shown: { password },
});

/** By the role's policy, else by the connection's, else by the standard rule. */
export async function makePassword(
  policy: string | undefined,
  { password_policy }: Connection,
  services: DatabaseServices,
): Promise<string> {
  const name = policy || password_policy;
  try {
    return await services.generatePassword(name);
  } catch (error) {
    // Whoever asks for a user asked for no policy: that it is missing is no "not found" of theirs.
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw invalidRequest(`failed to generate password: no password policy found: ${JSON.stringify(name)}`);
  }
}

async function makeRsaKey({ key_bits }: RsaConfig): Promise<MadeCredential> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: key_bits });
  const rsa_private_key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const publicPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  return { forDatabase: { type: "rsa_private_key", publicKey: publicPem }, shown: { rsa_private_key } };
}
