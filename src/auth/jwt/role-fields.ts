/** The fields of a role, written once, and how a write changes them. */
import { invalidRequest } from "../../api/errors.ts";
import { deprecated, dictionary, duration, flag, integer, list, text, type Values } from "../../api/fields.ts";
import { changedTokenFields, olderTokenFields, shownTokenFields } from "../../api/kept-token-fields.ts";
import { tokenFields } from "../../api/token-fields.ts";
import { boundClaims } from "./bound-claims-field.ts";
import type { Role, RoleSettings } from "./role.ts";

const ownFields = {
  role_type: text("What logs in: oidc, people through a provider's pages, or jwt, whoever has a token").default("oidc"),
  bound_audiences: list("Values of the aud claim, one of which a token must have").default([]),
  user_claim: text("Claim that names who logs in").default(""),
  user_claim_json_pointer: flag("Whether user_claim is a JSON pointer").default(false),
  clock_skew_leeway: duration("By how much clocks may differ; 0 for 60 seconds, -1 for none").default(0),
  expiration_leeway: duration("How long a token is good after its end; 0 for 150 seconds, -1 for none").default(0),
  not_before_leeway: duration("How long before its beginning a token is good; 0 for 150 seconds, -1 for none").default(
    0,
  ),
  bound_subject: text("What the sub claim must be").default(""),
  bound_claims: boundClaims("Claims, by name or JSON pointer, and the value or values that they must have").default({}),
  bound_claims_type: text("How claims are compared: string, or glob, where * stands for any text").default("string"),
  groups_claim: text("Claim that lists groups, by name or JSON pointer").default(""),
  claim_mappings: dictionary("Claims, by name or JSON pointer, and under which name each goes to the metadata").default(
    {},
  ),
  oauth2_metadata: list("Tokens of the provider to hand on in metadata: access_token, id_token, refresh_token").default(
    [],
  ),
  oidc_scopes: list("Scopes to ask for besides openid").default([]),
  allowed_redirect_uris: list("Where people may be sent back to").default([]),
  callback_mode: text("Who is called back: client, direct (this server), or device (nobody)").default("client"),
  poll_interval: integer(
    "Seconds between polls, in direct and device mode; 0 for what the provider says, or 5",
  ).default(0),
  oidc_disable_confirmation: flag("Leave out the page that asks people to confirm a login, in direct mode").default(
    false,
  ),
  verbose_oidc_logging: flag("Write tokens and claims to the log, at level debug; for finding mistakes").default(false),
  max_age: duration("How long ago people may have logged in at the provider; 0 for any time").default(0),
  token_policies_template_claims: flag("Fill claims into token_policies, such as {{.department}}").default(false),
};

const older = {
  ...olderTokenFields,
  num_uses: deprecated(integer("Another name of token_num_uses")).default(0),
};

export const roleFields = { ...ownFields, ...tokenFields, ...older };
export const shownRoleFields = { ...roleFields, name: text("Name of the role") };

type RoleInput = Values<typeof roleFields>;
const ownNames = Object.keys(ownFields) as (keyof typeof ownFields)[];

/** What the caller sent replaces what was there. */
export function changedSettings(
  before: RoleSettings,
  input: RoleInput,
  given: (field: string) => boolean,
): RoleSettings {
  const changes: Record<string, unknown> = {};
  for (const name of ownNames) if (given(name)) changes[name] = input[name];
  const tokenInput =
    given("num_uses") && !given("token_num_uses") ? { ...input, token_num_uses: input.num_uses } : input;
  const isGiven = (name: string) => given(name) || (name === "token_num_uses" && given("num_uses"));
  requireKnownTokenType(input, given);
  const after = { ...before, ...changes } as RoleSettings;
  const token = changedTokenFields(before, tokenInput, isGiven);
  return { ...after, ...(after.token_policies_template_claims ? withTemplates(token, before, input, given) : token) };
}

/** Names of policies are folded to lower case; templates are not, since names of claims are not. */
function withTemplates(
  kept: ReturnType<typeof changedTokenFields>,
  before: RoleSettings,
  input: RoleInput,
  given: (field: string) => boolean,
) {
  const written = given("token_policies") ? input.token_policies : given("policies") ? input.policies : undefined;
  const policies = written?.map((text) => text.trim()).filter((text) => text !== "") ?? before.token.token_policies;
  return { ...kept, token: { ...kept.token, token_policies: [...new Set(policies)] } };
}

function requireKnownTokenType({ token_type }: RoleInput, given: (field: string) => boolean): void {
  if (!given("token_type") || ["", "default", "service", "batch"].includes(token_type)) return;
  throw invalidRequest(`invalid 'token_type' value ${JSON.stringify(token_type)}`);
}

/** All that reading a role shows: settings of tokens under their current names and under older ones. */
export function shownRole({ token, older, policyTemplates: _, ...role }: Role) {
  return {
    ...role,
    ...shownTokenFields({ token, older }),
    policies: token.token_policies,
    ttl: token.token_ttl,
    max_ttl: token.token_max_ttl,
    period: token.token_period,
    num_uses: token.token_num_uses,
    bound_cidrs: token.token_bound_cidrs,
  };
}
