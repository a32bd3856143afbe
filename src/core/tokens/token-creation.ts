/** What a new token may be, given who asks and through which role. Pure rules: nothing is stored here. */
import { invalidRequest } from "../../api/errors.ts";
import { effectiveMax, lifetimeOf } from "./lifetime.ts";
import { homeOf, isRoot, type Token } from "./token.ts";
import { disallowedBy, isAllowedBy, limitsPolicies, type TokenRole } from "./token-role.ts";
import type { TokenSettings } from "./tokens.ts";

export interface TokenRequest {
  readonly id: string;
  /** Undefined where the request names none. */
  readonly policies: readonly string[] | undefined;
  readonly meta: Readonly<Record<string, string>> | undefined;
  readonly no_parent: boolean;
  readonly no_default_policy: boolean;
  readonly renewable: boolean;
  readonly ttl: number;
  readonly explicit_max_ttl: number;
  readonly period: number;
  readonly display_name: string;
  readonly num_uses: number;
  readonly type: string;
}

export interface Circumstances {
  readonly parent: Token;
  /** Whether the parent is of another namespace: its policies and its entity mean nothing here. */
  readonly isForeign: boolean;
  /** Whether the caller's policies give it `sudo` on the path that it calls. */
  readonly sudo: boolean;
  readonly role: (TokenRole & { readonly name: string }) | undefined;
  /** Through `create-orphan`, which policy alone guards. */
  readonly orphan: boolean;
  readonly path: string;
  readonly mountDefault: number;
  readonly mountMax: number;
  readonly now: Date;
}

export interface PlannedToken {
  readonly settings: TokenSettings;
  readonly warnings: readonly string[];
}

export function planToken(request: TokenRequest, circumstances: Circumstances): PlannedToken {
  requireAbleParent(circumstances.parent);
  requirePrivileges(request, circumstances);
  const type = typeOf(request, circumstances.role);
  const policies = policiesOf(request, circumstances);
  const { parent, role, orphan, path } = circumstances;
  const isOrphan = orphan || request.no_parent || role?.orphan === true;
  const life = lifeOf(request, circumstances, policies);
  const settings: TokenSettings = {
    parent: isOrphan ? "" : parent.key,
    type,
    policies,
    path: role && role.path_suffix !== "" ? `${path}/${role.path_suffix}` : path,
    role: role?.name ?? "",
    meta: request.meta ?? null,
    display_name: displayName(request.display_name),
    ...(circumstances.isForeign && !isOrphan && type === "batch" && { parentNamespace: homeOf(parent) }),
    entity_id: isOrphan || circumstances.isForeign ? "" : parent.entity_id,
    bound_cidrs: role ? role.token_bound_cidrs : life.expires === null ? [] : parent.bound_cidrs,
    num_uses: leastLimit(request.num_uses, role?.token_num_uses ?? 0),
    renewable: type === "service" && life.expires !== null && request.renewable && role?.renewable !== false,
    ...life.settings,
    expires: life.expires,
    login: null,
  };
  if (type === "batch") requireBatchable(settings);
  return { settings, warnings: life.warnings };
}

function requireAbleParent(parent: Token): void {
  if (parent.type === "batch") throw invalidRequest("batch tokens cannot create more tokens");
  if (parent.num_uses > 0) throw invalidRequest("restricted use token cannot generate child tokens");
}

function requirePrivileges({ id, no_parent, period, num_uses }: TokenRequest, { sudo, role }: Circumstances): void {
  if (num_uses < 0) throw invalidRequest("number of uses cannot be negative");
  if (id !== "") requireCustomId(id, sudo);
  if (no_parent && !sudo) throw invalidRequest("root or sudo privileges required to create orphan token");
  if (period !== 0 && !sudo && !role) throw invalidRequest("root or sudo privileges required to create periodic token");
}

function requireCustomId(id: string, sudo: boolean): void {
  if (!sudo) throw invalidRequest("root or sudo privileges required to specify token id");
  if (id.startsWith("s.") || id.startsWith("hvs.") || id.startsWith("b.")) {
    throw invalidRequest("custom token ID cannot have the 's.' or 'hvs.' prefix, nor that of batch tokens, 'b.'");
  }
  if (["s", "b", "hvs"].includes(id)) throw invalidRequest("custom token ID cannot be the prefix of other tokens");
  if (id.includes(".")) throw invalidRequest("custom token ID cannot contain the '.' character");
}

function typeOf({ type }: TokenRequest, role: TokenRole | undefined): "service" | "batch" {
  if (type !== "" && type !== "service" && type !== "batch") {
    throw invalidRequest(`invalid 'type' value ${JSON.stringify(type)}: expected "service" or "batch"`);
  }
  const fixed = role?.token_type;
  if (fixed === "service" || fixed === "batch") {
    if (type !== "" && type !== fixed)
      throw invalidRequest(`specified token type is not allowed by the role: ${fixed}`);
    return fixed;
  }
  if (type !== "") return type;
  return fixed === "default-batch" ? "batch" : "service";
}

function policiesOf(request: TokenRequest, circumstances: Circumstances): string[] {
  const { parent, role, sudo } = circumstances;
  const asked = sanitizedPolicies(request.policies ?? []);
  const policies = role ? underRole(asked, role, circumstances) : underParent(asked, circumstances);
  const wantsDefault = role ? !role.token_no_default_policy : sudo || parent.policies.includes("default");
  const refusesDefault = request.no_default_policy || (role ? disallowedBy(role, ["default"]) !== undefined : false);
  const final = sanitizedPolicies(
    wantsDefault && !refusesDefault ? [...policies, "default"] : policies.filter(keeping(request.no_default_policy)),
  );
  requireAssignable(final, request, circumstances);
  return final;
}

const keeping = (withoutDefault: boolean) => (policy: string) => !(withoutDefault && policy === "default");

function underParent(asked: readonly string[], { parent, sudo, isForeign }: Circumstances): readonly string[] {
  if (isForeign) return underForeignParent(asked, parent, sudo);
  if (asked.length === 0) return parent.policies;
  const beyond = asked.filter((policy) => policy !== "default" && !parent.policies.includes(policy));
  if (!sudo && !isRoot(parent) && beyond.length > 0) throw invalidRequest("child policies must be subset of parent");
  return asked;
}

/** Policies of the same name may say anything in another namespace, so only those who may give any policy can name one. */
function underForeignParent(asked: readonly string[], parent: Token, sudo: boolean): readonly string[] {
  if (!sudo && !isRoot(parent)) {
    throw invalidRequest("root or sudo privileges required to create a token in another namespace than one's own");
  }
  return asked.length === 0 && isRoot(parent) ? parent.policies : asked;
}

function underRole(asked: readonly string[], role: TokenRole, circumstances: Circumstances): readonly string[] {
  if (asked.length === 0 && role.allowed_policies.length > 0) return role.allowed_policies;
  const { parent, isForeign } = circumstances;
  const policies = asked.length === 0 && !limitsPolicies(role) && !isForeign ? parent.policies : asked;
  const refused = disallowedBy(role, policies);
  if (refused !== undefined) {
    throw invalidRequest(`token policy ${JSON.stringify(refused)} is disallowed by this role`);
  }
  if (!limitsPolicies(role)) {
    const blocks = role.disallowed_policies.length + role.disallowed_policies_glob.length > 0;
    return blocks ? policies : underParent(policies, circumstances);
  }
  if (policies.some((policy) => policy !== "default" && !isAllowedBy(role, policy))) {
    const all = sanitizedPolicies([...policies, "default"]);
    const allowed = sanitizedPolicies([...role.allowed_policies, "default"]);
    throw invalidRequest(
      `token policies (${shown(all)}) must be subset of the role's allowed policies (${shown(allowed)}) ` +
        `or glob policies (${shown(role.allowed_policies_glob)})`,
    );
  }
  return policies;
}

function requireAssignable(policies: readonly string[], { ttl, type }: TokenRequest, { parent }: Circumstances): void {
  if (policies.includes("response-wrapping")) {
    throw invalidRequest('cannot assign policy "response-wrapping"');
  }
  if (!policies.includes("root")) return;
  if (!isRoot(parent)) {
    throw invalidRequest("root tokens may not be created without parent token being root");
  }
  if (type === "batch") throw invalidRequest("batch tokens cannot be root tokens");
  if (parent.expires !== null && ttl === 0) {
    throw invalidRequest("expiring root tokens cannot create non-expiring root tokens");
  }
}

/** Lower-case, trimmed, without doubles, sorted; `root` stands alone. */
export function sanitizedPolicies(policies: readonly string[]): string[] {
  const clean = new Set(policies.map((policy) => policy.trim().toLowerCase()).filter((policy) => policy !== ""));
  return clean.has("root") ? ["root"] : [...clean].sort();
}

function lifeOf(request: TokenRequest, circumstances: Circumstances, policies: readonly string[]) {
  const { role, now, mountDefault, mountMax } = circumstances;
  const period = leastLimit(request.period, role?.token_period ?? 0);
  const warnings: string[] = [];
  let explicit_max_ttl = leastLimit(request.explicit_max_ttl, role?.token_explicit_max_ttl ?? 0);
  if (explicit_max_ttl > mountMax) {
    explicit_max_ttl = mountMax;
    warnings.push("Explicit max TTL specified is greater than the mount's maximum; value is capped accordingly");
  }
  const eternal = policies.includes("root") && request.ttl === 0 && period === 0 && explicit_max_ttl === 0;
  if (eternal) {
    return { settings: { creation_ttl: 0, explicit_max_ttl: 0, period: 0 }, expires: null, warnings };
  }
  const rules = { ttl: 0, maxTtl: 0, explicitMaxTtl: explicit_max_ttl, period, mountDefault, mountMax };
  const asked = request.ttl === 0 ? Math.min(mountDefault, effectiveMax(rules)) : request.ttl;
  const { seconds, warnings: capped } = lifetimeOf(rules, 0, asked);
  return {
    settings: { creation_ttl: seconds, explicit_max_ttl, period },
    expires: now.getTime() + seconds * 1000,
    warnings: [...warnings, ...capped],
  };
}

function requireBatchable({ num_uses, period, explicit_max_ttl }: TokenSettings): void {
  if (num_uses > 0) throw invalidRequest('batch tokens cannot have "num_uses" set');
  if (period > 0) throw invalidRequest('batch tokens cannot have "period" set');
  if (explicit_max_ttl > 0) throw invalidRequest('batch tokens cannot have "explicit_max_ttl" set');
}

/** The smaller of two limits of which 0 means none. */
const leastLimit = (a: number, b: number) => (a > 0 && b > 0 ? Math.min(a, b) : a || b);

const displayName = (name: string) => (name === "" ? "token" : `token-${name.replace(/[^A-Za-z0-9-]/g, "-")}`);

const shown = (policies: readonly string[]) => `[${policies.map((policy) => JSON.stringify(policy)).join(" ")}]`;
