/** A dynamic role as it is stored: how users are made, and how long they live. */
import type { CredentialConfig } from "./credential-config.ts";
import { shownConfig } from "./credential-config.ts";
import type { CredentialType } from "./plugin.ts";

export interface Role {
  readonly db_name: string;
  readonly default_ttl: number;
  readonly max_ttl: number;
  readonly creation_statements: readonly string[];
  readonly revocation_statements: readonly string[];
  readonly rollback_statements: readonly string[];
  readonly renew_statements: readonly string[];
  readonly credential_type: CredentialType;
  readonly credential_config: CredentialConfig;
}

export const emptyRole: Role = {
  db_name: "",
  default_ttl: 0,
  max_ttl: 0,
  creation_statements: [],
  revocation_statements: [],
  rollback_statements: [],
  renew_statements: [],
  credential_type: "password",
  credential_config: {},
};

export function shownRole({ credential_config, ...role }: Role) {
  const shown = shownConfig(credential_config);
  return { ...role, ...(shown && { credential_config: shown }) };
}
