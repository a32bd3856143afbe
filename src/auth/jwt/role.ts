/** Roles: which tokens are good for a login, whom they stand for, and what the login gives. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { type KeptTokenFields, plainKeptTokenFields } from "../../api/kept-token-fields.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { foldedName, isRoleName } from "../../api/role-name.ts";
import { Template } from "../../lib/template/template.ts";
import type { BoundClaims, BoundClaimsType } from "./bound-claims.ts";
import type { Leeways } from "./leeway.ts";

export type CallbackMode = "client" | "direct" | "device";

export interface RoleSettings extends KeptTokenFields, Leeways {
  readonly role_type: "oidc" | "jwt";
  readonly bound_audiences: readonly string[];
  readonly user_claim: string;
  readonly user_claim_json_pointer: boolean;
  readonly bound_subject: string;
  readonly bound_claims: BoundClaims;
  readonly bound_claims_type: BoundClaimsType;
  readonly groups_claim: string;
  readonly claim_mappings: Readonly<Record<string, string>>;
  readonly oauth2_metadata: readonly string[];
  readonly oidc_scopes: readonly string[];
  readonly allowed_redirect_uris: readonly string[];
  readonly callback_mode: CallbackMode;
  readonly poll_interval: number;
  readonly oidc_disable_confirmation: boolean;
  readonly verbose_oidc_logging: boolean;
  readonly max_age: number;
  readonly token_policies_template_claims: boolean;
}

export interface Role extends RoleSettings {
  readonly name: string;
  /** One for each of the role's policies, where claims may be filled in. */
  readonly policyTemplates: readonly Template[];
}

export const newRoleSettings: RoleSettings = {
  ...plainKeptTokenFields,
  role_type: "oidc",
  bound_audiences: [],
  user_claim: "",
  user_claim_json_pointer: false,
  clock_skew_leeway: 0,
  expiration_leeway: 0,
  not_before_leeway: 0,
  bound_subject: "",
  bound_claims: {},
  bound_claims_type: "string",
  groups_claim: "",
  claim_mappings: {},
  oauth2_metadata: [],
  oidc_scopes: [],
  allowed_redirect_uris: [],
  callback_mode: "client",
  poll_interval: 0,
  oidc_disable_confirmation: false,
  verbose_oidc_logging: false,
  max_age: 0,
  token_policies_template_claims: false,
};

interface StoredRole extends RoleSettings {
  readonly name: string;
}

const prefix = "role/";

export class Roles {
  readonly #storage: Storage;
  readonly #records: Collection<StoredRole>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#records = new Collection(storage, prefix);
  }

  /** Undefined also for what can be no role's name. */
  async find(name: string): Promise<Role | undefined> {
    return isRoleName(name) ? this.#storage.read(prefix + foldedName(name), loaded) : undefined;
  }

  save(name: string, settings: RoleSettings): void {
    this.#records.put(name, { ...settings, name });
  }

  delete(name: string): void {
    if (isRoleName(name)) this.#records.delete(foldedName(name));
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }
}

/** Kept beside the record for as long as it is current, so templates are parsed once. */
function loaded(bytes: Uint8Array): Role {
  const role = JSON.parse(Buffer.from(bytes).toString("utf8")) as StoredRole;
  const templates = role.token_policies_template_claims ? role.token.token_policies : [];
  return { ...role, policyTemplates: templates.map((text) => new Template(text)) };
}
