/** What dynamic and static roles have in common on the wire. */
import { z } from "zod";
import { readItems } from "../../api/coerce.ts";
import { invalidRequest } from "../../api/errors.ts";
import { anything, choice, dictionary, text } from "../../api/fields.ts";
import type { CredentialConfig } from "./credential-config.ts";
import { optionNames, readCredentialConfig } from "./credential-config.ts";
import { type CredentialType, credentialTypes } from "./plugin.ts";

/** Strings, not split at commas; a JSON document may come as JSON itself. */
export const statements = (description: string) =>
  z
    .preprocess(
      (raw) => readItems(Array.isArray(raw) ? raw.map(asText) : asText(raw)),
      z.array(z.string({ error: () => "expected a string" }), { error: () => "expected a list of strings" }),
    )
    .meta({ description });

const asText = (raw: unknown): unknown => (typeof raw === "object" && raw !== null ? JSON.stringify(raw) : raw);

export const credentialFields = {
  credential_type: choice(credentialTypes, "What users prove themselves with").default("password"),
  credential_config: dictionary(
    "Options of the credential type. password: password_policy. rsa_private_key: key_bits, format. " +
      "client_certificate: key_type, key_bits, signature_bits, common_name_template, ca_cert, ca_private_key",
  ).default({}),
};

export const shownCredentialFields = {
  credential_type: text("What users prove themselves with"),
  credential_config: anything(
    "Options of the credential type, without ca_private_key; absent if there are none",
  ).optional(),
};

interface Credentialed {
  readonly credential_type: CredentialType;
  readonly credential_config: CredentialConfig;
}

interface CredentialInput {
  readonly credential_type: CredentialType;
  readonly credential_config: Readonly<Record<string, string>>;
}

/** The type and its options after a write: what is not given stays, unless the type is another. */
export function settledCredential(
  before: Credentialed | undefined,
  input: CredentialInput,
  given: (field: string) => boolean,
  warn: (message: string) => void,
): Credentialed {
  const credential_type = given("credential_type") || !before ? input.credential_type : before.credential_type;
  const isSame = before?.credential_type === credential_type;
  if (before && isSame && !given("credential_config")) {
    return { credential_type, credential_config: before.credential_config };
  }
  const names = optionNames[credential_type];
  const ignored = Object.keys(input.credential_config).filter((name) => !names.includes(name));
  if (ignored.length > 0) {
    warn(`credential_config of the type ${credential_type} has no ${ignored.sort().join(", ")}; ignored`);
  }
  const credential_config = readCredentialConfig(credential_type, input.credential_config);
  if ("ca_cert" in credential_config && credential_config.ca_cert === "") {
    warn("no certificate can be issued until credential_config has ca_cert and ca_private_key");
  }
  return { credential_type, credential_config };
}

/** One name must not mean two things. */
export function requireUnique(isTaken: boolean): void {
  if (isTaken) throw invalidRequest("Role and Static Role names must be unique");
}
