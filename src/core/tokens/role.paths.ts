/** Declares token roles: `auth/token/roles` and `auth/token/roles/:role_name`. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { choice, deprecated, duration, flag, integer, list, text, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { parseCidr } from "../../lib/cidr.ts";
import { sanitizedPolicies } from "./token-creation.ts";
import { type TokenRole, tokenRoles } from "./token-role.ts";
import type { TokenServices } from "./token-services.ts";

const path = pathsFor<TokenServices>();

const settings = {
  allowed_policies: list("Policies that tokens may have; any when empty").default([]),
  disallowed_policies: list("Policies that tokens may not have").default([]),
  allowed_policies_glob: list("Patterns of policies that tokens may have").default([]),
  disallowed_policies_glob: list("Patterns of policies that tokens may not have").default([]),
  allowed_entity_aliases: list("Entity aliases that tokens may be tied to").default([]),
  orphan: flag("Make orphans").default(false),
  renewable: flag("Whether tokens can be renewed").default(true),
  path_suffix: text("Shown at the end of the path of tokens, to revoke by prefix").default(""),
  token_bound_cidrs: list("Where tokens may be used from").default([]),
  token_explicit_max_ttl: duration("Longest life, renewals included; 0 for the mount's own").default(0),
  token_period: duration("Renew for this long again and again").default(0),
  token_type: choice(["", "service", "batch", "default-service", "default-batch"], "Kind of tokens").default(""),
  token_no_default_policy: flag("Leave the default policy out").default(false),
  token_num_uses: integer("Requests that tokens are good for; 0 for no limit").default(0),
};

/** Older names of three settings; read shows both. */
const older = {
  period: deprecated(duration("Another name of token_period")).default(0),
  explicit_max_ttl: deprecated(duration("Another name of token_explicit_max_ttl")).default(0),
  bound_cidrs: deprecated(list("Another name of token_bound_cidrs")).default([]),
};

const role = path({
  pattern: "roles/:role_name",
  summary: "Manage what tokens made through a role are like",
  params: { role_name: text("Name of the role") },
  read: {
    summary: "Read a token role",
    output: { name: text("Name of the role"), ...settings, ...older },
    async handler({ role_name }, { services }) {
      const found = await tokenRoles(services.storage).get(role_name);
      if (!found) throw absent();
      return {
        name: role_name,
        ...found,
        period: found.token_period,
        explicit_max_ttl: found.token_explicit_max_ttl,
        bound_cidrs: found.token_bound_cidrs,
      };
    },
  },
  write: {
    summary: "Create or change a token role",
    input: { ...settings, ...older },
    exists: ({ role_name }, { services }) => tokenRoles(services.storage).has(role_name),
    async handler({ role_name, ...input }, { services, given }) {
      const roles = tokenRoles(services.storage);
      const before = await roles.get(role_name);
      const role = { ...initial, ...before, ...changesOf(input, given) };
      requireSound(role);
      roles.put(role_name, role);
    },
  },
  delete: {
    summary: "Delete a token role",
    handler: async ({ role_name }, { services }) => tokenRoles(services.storage).delete(role_name),
  },
  examples: [{ operation: "write", request: { allowed_policies: "web,metrics", token_period: "24h" } }],
});

const roles = path({
  pattern: "roles",
  summary: "Token roles",
  list: {
    summary: "List token roles",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await tokenRoles(services.storage).list(pageOf(page)) }),
  },
});

const initial: TokenRole = {
  allowed_policies: [],
  disallowed_policies: [],
  allowed_policies_glob: [],
  disallowed_policies_glob: [],
  allowed_entity_aliases: [],
  orphan: false,
  renewable: true,
  path_suffix: "",
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_period: 0,
  token_type: "default-service",
  token_no_default_policy: false,
  token_num_uses: 0,
};

type Input = Values<typeof settings & typeof older>;

/** What the caller sent, under the current names. */
function changesOf(input: Input, given: (field: string) => boolean): Partial<TokenRole> {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(settings)) {
    if (given(name)) changes[name] = input[name as keyof typeof settings];
  }
  if (given("period") && !given("token_period")) changes["token_period"] = input.period;
  if (given("explicit_max_ttl") && !given("token_explicit_max_ttl")) {
    changes["token_explicit_max_ttl"] = input.explicit_max_ttl;
  }
  if (given("bound_cidrs") && !given("token_bound_cidrs")) changes["token_bound_cidrs"] = input.bound_cidrs;
  if (changes["token_type"] === "") changes["token_type"] = "default-service";
  for (const name of ["allowed_policies", "disallowed_policies"] as const) {
    if (given(name)) changes[name] = sanitizedPolicies(input[name]);
  }
  return changes as Partial<TokenRole>;
}

function requireCidr(text: string): void {
  try {
    parseCidr(text);
  } catch {
    throw invalidRequest(`invalid CIDR ${JSON.stringify(text)}: expected a block such as 10.0.0.0/8, or an address`);
  }
}

function requireSound(role: TokenRole): void {
  for (const cidr of role.token_bound_cidrs) requireCidr(cidr);
  if (role.token_num_uses < 0) throw invalidRequest("'token_num_uses' cannot be negative");
  if (role.token_period < 0 || role.token_explicit_max_ttl < 0) throw invalidRequest("durations cannot be negative");
  if (!/^[\w./:-]*$/.test(role.path_suffix)) {
    throw invalidRequest("'path_suffix' may have letters, digits and the characters _ . / : - only");
  }
  if (role.token_type !== "batch") return;
  if (!role.orphan)
    throw invalidRequest("'token_type' cannot be 'batch' when role is set to generate non-orphan tokens");
  if (role.token_period > 0)
    throw invalidRequest("'token_type' cannot be 'batch' when role is set to generate periodic tokens");
  if (role.renewable)
    throw invalidRequest("'token_type' cannot be 'batch' when role is set to generate renewable tokens");
  if (role.token_explicit_max_ttl > 0) {
    throw invalidRequest("'token_type' cannot be 'batch' when role is set to generate tokens with an explicit max TTL");
  }
}

export const rolePaths = [role, roles];
