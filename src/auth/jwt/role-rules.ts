/** What a role may say; called when one is written. */
import type { MountInfo } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { formatDuration } from "../../lib/duration.ts";
import { TemplateError } from "../../lib/template/error.ts";
import { Template } from "../../lib/template/template.ts";
import { requireSoundBoundClaims } from "./bound-claims.ts";
import type { RoleSettings } from "./role.ts";

const oneOf = (name: string, value: string, allowed: readonly string[]) => {
  if (allowed.includes(value)) return;
  throw invalidRequest(`invalid '${name}': ${value} (one of ${allowed.join(", ")})`);
};

export function requireSoundRole(role: RoleSettings, { maxLeaseSeconds }: MountInfo): void {
  oneOf("role_type", role.role_type, ["oidc", "jwt"]);
  requirePeriod(role, maxLeaseSeconds);
  oneOf("bound_claims_type", role.bound_claims_type, ["string", "glob"]);
  requireSoundBoundClaims(role.bound_claims, role.bound_claims_type);
  requireMappings(role.claim_mappings);
  requireOauth2Metadata(role.oauth2_metadata);
  if (role.user_claim === "") throw invalidRequest("a user claim must be defined on the role");
  oneOf("callback_mode", role.callback_mode, ["client", "direct", "device"]);
  requirePurpose(role);
  if (role.poll_interval < 0) throw invalidRequest("'poll_interval' cannot be negative");
  if (role.max_age < 0) throw invalidRequest("'max_age' cannot be negative");
  if (role.token_policies_template_claims) requireTemplates(role.token.token_policies);
}

function requirePurpose(role: RoleSettings): void {
  if (role.role_type === "oidc") {
    if (role.callback_mode === "device" || role.allowed_redirect_uris.length > 0) return;
    throw invalidRequest("'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified.");
  }
  const bound =
    role.bound_audiences.length > 0 ||
    role.bound_subject !== "" ||
    Object.keys(role.bound_claims).length > 0 ||
    role.token.token_bound_cidrs.length > 0;
  if (!bound) throw invalidRequest("must have at least one bound constraint when creating/updating a role");
}

function requirePeriod({ token }: RoleSettings, maxSeconds: number): void {
  if (token.token_period <= maxSeconds) return;
  const [asked, most] = [token.token_period, maxSeconds].map((seconds) => JSON.stringify(formatDuration(seconds)));
  throw invalidRequest(`'period' of '${asked}' is greater than the backend's maximum lease TTL of '${most}'`);
}

function requireMappings(mappings: Readonly<Record<string, string>>): void {
  const targets = new Set<string>();
  for (const target of Object.values(mappings)) {
    if (target === "role") {
      throw invalidRequest('metadata key "role" is reserved and may not be a mapping destination');
    }
    if (targets.has(target)) throw invalidRequest(`multiple keys are mapped to metadata key ${JSON.stringify(target)}`);
    targets.add(target);
  }
}

const oauth2Tokens = ["access_token", "id_token", "refresh_token"];

function requireOauth2Metadata(names: readonly string[]): void {
  const unknown = names.find((name) => !oauth2Tokens.includes(name));
  if (unknown !== undefined) throw invalidRequest(`Unrecognized oauth2 metadata name ${unknown}`);
}

function requireTemplates(policies: readonly string[]): void {
  for (const [index, text] of policies.entries()) {
    try {
      new Template(text);
    } catch (error) {
      if (error instanceof TemplateError) {
        throw invalidRequest(`failed to parse template policy [${index}]: ${error.message}`);
      }
      throw error;
    }
  }
}

/** Settings that work, and may not be what was meant. */
export function roleWarnings(role: RoleSettings, { maxLeaseSeconds }: MountInfo): string[] {
  const warnings: string[] = [];
  if (role.token.token_max_ttl > maxLeaseSeconds) {
    warnings.push(
      "token max ttl is greater than the system or backend mount's maximum TTL value; " +
        "issued tokens' max TTL value will be truncated",
    );
  }
  if (role.verbose_oidc_logging) {
    warnings.push(
      "verbose_oidc_logging has been enabled for this role. " +
        "Tokens and claims of people who log in go to the server's log; switch it off when the mistake is found.",
    );
  }
  return warnings;
}
