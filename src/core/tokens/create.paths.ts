/** Declares how tokens are made: `auth/token/create`, `create-orphan` and `create/:role`. */
import { invalidRequest } from "../../api/errors.ts";
import { choice, dictionary, duration, flag, integer, items, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Authenticated } from "../../api/reply.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { noteAbroad } from "./abroad.ts";
import { homeOf } from "./token.ts";
import { planToken } from "./token-creation.ts";
import { tokenRoles } from "./token-role.ts";
import { authOf, type TokenServices } from "./token-services.ts";

const path = pathsFor<TokenServices>();

const tokenFields = {
  id: text("Id of the token, chosen by the caller; needs sudo").default(""),
  policies: items("Policies of the token; those of the caller when none are named").default([]),
  meta: dictionary("Metadata that audit and lookups show").optional(),
  no_parent: flag("Make an orphan, which outlives the caller; needs sudo").default(false),
  no_default_policy: flag("Leave the default policy out").default(false),
  renewable: flag("Whether the token can be renewed").default(true),
  ttl: duration("Lifetime; the mount's default when 0").default(0),
  lease: duration("Another name of ttl").default(0),
  explicit_max_ttl: duration("Longest life, renewals included; 0 for the mount's own").default(0),
  period: duration("Renew for this long again and again; needs sudo or a role").default(0),
  display_name: text("Name shown in audit and lookups").default(""),
  num_uses: integer("Requests that the token is good for; 0 for no limit").default(0),
  type: choice(["", "service", "batch", "default-service", "default-batch"], "Kind of token").default(""),
  entity_alias: text("Entity alias to tie the token to; needs a role that allows it").default(""),
};

const create = path({
  pattern: "create",
  summary: "Make a token below the caller's own",
  write: {
    summary: "Create a token",
    input: tokenFields,
    handler: (input, context) => issue(input, context, { orphan: false }),
  },
  examples: [{ operation: "write", request: { policies: ["web"], ttl: "1h" } }],
});

const createOrphan = path({
  pattern: "create-orphan",
  summary: "Make a token that has no parent",
  write: {
    summary: "Create an orphan token",
    input: tokenFields,
    handler: (input, context) => issue(input, context, { orphan: true }),
  },
});

const createWithRole = path({
  pattern: "create/:role_name",
  summary: "Make a token that a role shapes",
  params: { role_name: text("Name of the role") },
  write: {
    summary: "Create a token through a role",
    input: tokenFields,
    async handler({ role_name, ...input }, context) {
      const role = await tokenRoles(context.services.storage).get(role_name);
      if (!role) throw invalidRequest(`unknown role ${role_name}`);
      return issue(input, context, { orphan: false, role: { ...role, name: role_name } });
    },
  },
});

type RoleWithName = NonNullable<Parameters<typeof planToken>[1]["role"]>;

async function issue(
  { lease, ttl, entity_alias, ...input }: Values<typeof tokenFields>,
  { services, caller, given, now, warn, request }: Context<TokenServices>,
  { orphan, role }: { orphan: boolean; role?: RoleWithName },
) {
  if (entity_alias !== "" && !role?.allowed_entity_aliases.length) {
    throw invalidRequest("'entity_alias' is only allowed in combination with a token role that allows it");
  }
  const isForeign = homeOf(services.own.token).id !== scopeOf(services.storage).namespace.id;
  const { settings, warnings } = planToken(
    { ...input, ttl: ttl || lease, policies: given("policies") ? input.policies : undefined, meta: input.meta },
    {
      parent: services.own.token,
      isForeign,
      sudo: caller?.sudo ?? false,
      role,
      orphan,
      path: `auth/token/${request.path}`,
      mountDefault: services.lifetimes.defaultSeconds,
      mountMax: services.lifetimes.maxSeconds,
      now,
    },
  );
  for (const warning of warnings) warn(warning);
  for (const policy of settings.policies) {
    const exists = policy === "root" || (await services.core.policyExists(policy, services.storage));
    if (!exists) warn(`Policy ${JSON.stringify(policy)} does not exist`);
  }
  const { tokens } = services.core;
  if (settings.parent !== "") await noteAbroad(services.own.token, services.storage);
  if (input.id === "") return new Authenticated(authOf(await tokens.issue(settings, now, services.storage), now));
  if (await tokens.isTaken(input.id, services.storage)) {
    throw invalidRequest("cannot create a token with a duplicate ID");
  }
  warn("Supplying a custom ID for the token makes it as strong as that ID is hard to guess, and no stronger.");
  return new Authenticated(authOf(await tokens.issue(settings, now, services.storage, input.id), now));
}

export const createPaths = [create, createOrphan, createWithRole];
