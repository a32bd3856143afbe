/** Declares what can be learned of tokens: `lookup`, `lookup-self`, `lookup-accessor` and `accessors`. */
import { dictionary, duration, flag, integer, items, sensitive, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { describeToken } from "./token.ts";
import { badToken, type TokenServices } from "./token-services.ts";

const path = pathsFor<TokenServices>();

const tokenData = {
  accessor: text("Names the token without giving it away"),
  creation_time: integer("When it was made, in seconds since 1970"),
  creation_ttl: duration("Lifetime it was given first"),
  display_name: text("Name shown in audit"),
  entity_id: text("Entity that it stands for"),
  expire_time: text("When it ends; null for never").nullable(),
  explicit_max_ttl: duration("Longest life, renewals included"),
  id: sensitive(text("The token; empty in lookups by accessor")),
  issue_time: text("When it was made"),
  meta: dictionary("Metadata").nullable(),
  namespace_path: text("Namespace that it belongs to, if not the root").optional(),
  num_uses: integer("Requests left; 0 for no limit"),
  orphan: flag("Whether it has no parent"),
  path: text("Path that made it"),
  policies: items("Policies of the token"),
  renewable: flag("Whether it can be renewed"),
  ttl: duration("Seconds left; 0 for a token that does not expire"),
  type: text("service or batch"),
  identity_policies: items("Policies that its entity and groups bring").optional(),
  role: text("Token role that shaped it").optional(),
  period: duration("Renewed for this long again and again").optional(),
  bound_cidrs: items("Where it may be used from").optional(),
  last_renewal: text("When it was renewed last").optional(),
  last_renewal_time: integer("When it was renewed last, in seconds since 1970").optional(),
};

const tokenField = { token: sensitive(text("Token to look up; the caller's own when empty")).default("") };

async function lookup(services: TokenServices, id: string, now: Date) {
  const found = await services.alive(id);
  if (!found) throw badToken();
  return describeToken(found.token, found.id, now, await services.identityPolicies(found.token));
}

const lookupAny = path({
  pattern: "lookup",
  summary: "What a token is and may do",
  read: {
    summary: "Look up a token",
    input: tokenField,
    output: tokenData,
    handler: ({ token }, { services, now }) => lookup(services, token, now),
  },
  write: {
    summary: "Look up a token",
    input: tokenField,
    output: tokenData,
    handler: ({ token }, { services, now }) => lookup(services, token, now),
  },
});

const lookupSelf = path({
  pattern: "lookup-self",
  summary: "What the caller's own token is and may do",
  read: {
    summary: "Look up the caller's own token",
    output: tokenData,
    handler: (_input, { services, now }) => lookup(services, "", now),
  },
  write: {
    summary: "Look up the caller's own token",
    input: tokenField,
    output: tokenData,
    handler: (_input, { services, now }) => lookup(services, "", now),
  },
});

const lookupAccessor = path({
  pattern: "lookup-accessor",
  summary: "What the token behind an accessor is and may do",
  write: {
    summary: "Look up a token by its accessor",
    input: { accessor: text("Accessor of the token").default("") },
    output: tokenData,
    async handler({ accessor }, { services, now }) {
      const token = await services.aliveByAccessor(accessor);
      return describeToken(token, "", now, await services.identityPolicies(token));
    },
  },
});

const accessors = path({
  pattern: "accessors",
  summary: "Accessors of all tokens",
  list: {
    summary: "List accessors",
    sudo: true,
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({
      keys: await services.core.tokens.accessors(services.storage, pageOf(page)),
    }),
  },
});

export const lookupPaths = [lookupAny, lookupSelf, lookupAccessor, accessors];
