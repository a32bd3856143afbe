/** From verified claims to a login: who it is, whether the role takes them, and with which policies. */
import type { Host } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { LoginGrant } from "../../api/reply.ts";
import { TemplateError } from "../../lib/template/error.ts";
import type { ValueMap } from "../../lib/template/value.ts";
import { ClaimMismatch, requireBoundClaims } from "./bound-claims.ts";
import type { Claims } from "./claims.ts";
import type { LoadedConfig } from "./config.ts";
import { identityOf, userOf } from "./identity.ts";
import { ProviderProblem } from "./providers/problem.ts";
import { providerOf } from "./providers/provider.ts";
import type { Role } from "./role.ts";
import type { Validation } from "./validation.ts";

export interface Authorization {
  readonly config: LoadedConfig;
  readonly validation: Validation;
  readonly role: Role;
  readonly host: Host;
  /** Of the provider; empty where there is none. */
  readonly accessToken: string;
}

/** Throws an `ApiError` that says which rule of the role the claims do not meet. */
export async function grantFor(given: Claims, authorization: Authorization): Promise<LoginGrant> {
  const { role } = authorization;
  const user = userOf(role, given);
  const claims = await completed(given, user, authorization);
  const { metadata, groups } = identityOf(role, user, claims);
  requireBound(role, claims);
  return {
    alias: { name: user, metadata },
    groupAliases: groups,
    displayName: user,
    metadata,
    token: { ...role.token, token_policies: policiesOf(authorization, claims) },
    internal: { role: role.name, role_type: "native" },
  };
}

async function completed(claims: Claims, user: string, authorization: Authorization): Promise<Claims> {
  const { config, role, validation, accessToken, host } = authorization;
  const provider = providerOf(config.provider_config);
  if (!provider?.completeClaims) return claims;
  try {
    return await provider.completeClaims({
      claims,
      groupsClaim: role.groups_claim,
      user,
      accessToken,
      settings: config.provider_config,
      web: validation.web,
      now: host.clock.now() / 1000,
    });
  } catch (error) {
    if (error instanceof ProviderProblem) throw invalidRequest(`failed to fetch groups: ${error.message}`);
    throw error;
  }
}

function requireBound(role: Role, claims: Claims): void {
  try {
    requireBoundClaims(role.bound_claims, role.bound_claims_type, claims);
  } catch (error) {
    if (error instanceof ClaimMismatch) throw invalidRequest(`error validating claims: ${error.message}`);
    throw error;
  }
}

/** No policy has a longer name; a token that carried one could not be used. */
const longestPolicyName = 512;

/** Policies with claims filled in; one that comes to nothing is left out. */
function policiesOf({ role, host }: Authorization, claims: Claims): string[] {
  if (!role.token_policies_template_claims) return role.token.token_policies;
  const names = role.policyTemplates.map((template, index) => {
    try {
      return template.render(claims as ValueMap, host).trim();
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw invalidRequest(`failed to template policy [${index}]: unable to apply template: ${error.message}`);
    }
  });
  const long = names.findIndex((name) => name.length > longestPolicyName);
  if (long !== -1)
    throw invalidRequest(
      `failed to template policy [${long}]: the name is longer than ${longestPolicyName} characters`,
    );
  return [...new Set(names.filter((name) => name !== ""))];
}
