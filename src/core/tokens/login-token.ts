/** The token that a login gives, from the settings of the role and the tuning of the mount. Pure rules. */
import { invalidRequest, permissionDenied } from "../../api/errors.ts";
import type { LoginGrant } from "../../api/reply.ts";
import type { TokenFieldValues } from "../../api/token-fields.ts";
import { containedInAny, parseCidr } from "../../lib/cidr.ts";
import type { MountEntry, MountLifetimes } from "../mounts/mount-entry.ts";
import { type LifetimeRules, lifetimeOf } from "./lifetime.ts";
import { sanitizedPolicies } from "./token-creation.ts";
import type { TokenSettings } from "./tokens.ts";

export interface LoginCircumstances {
  readonly mount: MountEntry;
  readonly lifetimes: MountLifetimes;
  readonly entityId: string;
  readonly remoteAddress: string;
  readonly path: string;
  readonly now: Date;
}

export interface PlannedLogin {
  readonly settings: TokenSettings;
  readonly warnings: readonly string[];
}

export function planLogin(grant: LoginGrant, circumstances: LoginCircumstances): PlannedLogin {
  const { token } = grant;
  const { mount, entityId, remoteAddress, path, now } = circumstances;
  requireOrigin(token, remoteAddress);
  const type = tokenType(token.token_type, mount.config.token_type ?? "default-service");
  const rules = loginRules(token, circumstances.lifetimes);
  const { seconds, warnings } = lifetimeOf(rules, 0, 0);
  if (type === "batch") requireBatchable(token);
  const settings: TokenSettings = {
    parent: "",
    type,
    policies: policiesOf(token),
    path,
    role: "",
    meta: grant.metadata ?? null,
    display_name: displayName(mount, grant.displayName),
    entity_id: entityId,
    bound_cidrs: token.token_strictly_bind_ip ? [remoteAddress] : token.token_bound_cidrs,
    num_uses: token.token_num_uses,
    renewable: type === "service" && grant.renewable !== false,
    creation_ttl: seconds,
    explicit_max_ttl: token.token_explicit_max_ttl,
    period: token.token_period,
    expires: now.getTime() + seconds * 1000,
    login: {
      mount: mount.uuid,
      internal: grant.internal ?? {},
      ...(grant.groupAliases && { groupAliases: grant.groupAliases }),
    },
  };
  return { settings, warnings };
}

/** The rules of a role, at login and at each renewal alike. */
export const loginRules = (token: TokenFieldValues, { defaultSeconds, maxSeconds }: MountLifetimes): LifetimeRules => ({
  ttl: token.token_ttl,
  maxTtl: token.token_max_ttl,
  explicitMaxTtl: token.token_explicit_max_ttl,
  period: token.token_period,
  mountDefault: defaultSeconds,
  mountMax: maxSeconds,
});

function requireOrigin({ token_bound_cidrs }: TokenFieldValues, address: string): void {
  if (token_bound_cidrs.length > 0 && !containedInAny(token_bound_cidrs.map(parseCidr), address)) {
    throw permissionDenied();
  }
}

function policiesOf({ token_policies, token_no_default_policy }: TokenFieldValues): string[] {
  const policies = sanitizedPolicies(token_no_default_policy ? token_policies : [...token_policies, "default"]);
  if (policies.includes("root")) throw invalidRequest("auth methods cannot create root tokens");
  if (policies.includes("response-wrapping")) throw invalidRequest('cannot assign policy "response-wrapping"');
  return policies;
}

/** A mount that is tuned to one kind decides; one that has a default lets the role decide. */
function tokenType(asked: TokenFieldValues["token_type"], tuned: string): "service" | "batch" {
  if (tuned === "service" || tuned === "batch") return tuned;
  if (asked === "service" || asked === "batch") return asked;
  if (asked === "default-batch") return "batch";
  if (asked === "default-service") return "service";
  return tuned === "default-batch" ? "batch" : "service";
}

function requireBatchable({ token_period, token_num_uses }: TokenFieldValues): void {
  if (token_period > 0) throw invalidRequest('batch tokens cannot have "period" set');
  if (token_num_uses > 0) throw invalidRequest('batch tokens cannot have "num_uses" set');
}

/** `jwt-alice` for alice on the mount `auth/jwt/`. */
const displayName = ({ path }: MountEntry, name: string) =>
  `${path.slice("auth/".length, -1).replaceAll("/", "-")}${name === "" ? "" : `-${name}`}`;
