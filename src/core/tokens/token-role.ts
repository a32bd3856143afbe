/** Token roles: what tokens made through `auth/token/create/:role` must be like. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { globMatches } from "../../lib/glob.ts";

export interface TokenRole {
  readonly allowed_policies: readonly string[];
  readonly disallowed_policies: readonly string[];
  readonly allowed_policies_glob: readonly string[];
  readonly disallowed_policies_glob: readonly string[];
  readonly allowed_entity_aliases: readonly string[];
  readonly orphan: boolean;
  readonly renewable: boolean;
  readonly path_suffix: string;
  readonly token_bound_cidrs: readonly string[];
  readonly token_explicit_max_ttl: number;
  readonly token_period: number;
  readonly token_type: "service" | "batch" | "default-service" | "default-batch";
  readonly token_no_default_policy: boolean;
  readonly token_num_uses: number;
}

export const tokenRoles = (storage: Storage) => new Collection<TokenRole>(storage, "sys/token/role/");

/** The first policy that the role does not let a token have. */
export function disallowedBy(role: TokenRole, policies: readonly string[]): string | undefined {
  return policies.find((policy) => {
    if (role.disallowed_policies.includes(policy)) return true;
    return role.disallowed_policies_glob.some((glob) => globMatches(glob, policy));
  });
}

export const limitsPolicies = (role: TokenRole): boolean =>
  role.allowed_policies.length + role.allowed_policies_glob.length > 0;

export const isAllowedBy = (role: TokenRole, policy: string): boolean =>
  role.allowed_policies.includes(policy) || role.allowed_policies_glob.some((glob) => globMatches(glob, policy));
