/** Declares what a token may do on given paths: `sys/capabilities`, `-self` and `-accessor`. */
import { invalidRequest, permissionDenied } from "../../api/errors.ts";
import { choice, flag, groups, items, object, sensitive, text } from "../../api/fields.ts";
import { type Context, Open, pathsFor } from "../../api/path.ts";
import { explain } from "../policies/explain.ts";
import { resultantAcl } from "../policies/resultant-acl.ts";
import { isExpired, type Token } from "../tokens/token.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const pathFields = {
  path: items("Path to ask about").default([]),
  paths: items("Paths to ask about").default([]),
};

async function capabilitiesOf(
  token: Token,
  input: { path: readonly string[]; paths: readonly string[] },
  { services, now }: Context<SystemServices>,
) {
  const paths = input.paths.length > 0 ? input.paths : input.path;
  if (paths.length === 0) throw invalidRequest("paths must be supplied");
  const acl = await services.access.aclOf(token, services.storage, now);
  const answers = paths.map((each) => [each, acl.capabilities(each.replace(/^\//, ""), now)] as const);
  const [first] = answers;
  const single = answers.length === 1 && first ? { capabilities: first[1] } : {};
  return new Open(Object.assign(Object.create(null), Object.fromEntries(answers), single));
}

const alive = (token: Token | undefined, now: Date): token is Token => token !== undefined && !isExpired(token, now);

const output = { capabilities: items("What the token may do; when one path was asked about").optional() };

const any = path({
  pattern: "capabilities",
  summary: "What a token may do on paths",
  dataOnTop: true,
  write: {
    summary: "Ask what a token may do",
    input: { token: sensitive(text("The token")).default(""), ...pathFields },
    output,
    openOutput: true,
    async handler({ token, ...input }, context) {
      const { exchange, tokens, storage } = context.services;
      const isOwn = token === exchange.request.token;
      const found = isOwn ? exchange.token : await tokens.find(token, storage);
      if (!alive(found, context.now)) throw invalidRequest("invalid token");
      return capabilitiesOf(found, input, context);
    },
  },
});

const self = path({
  pattern: "capabilities-self",
  summary: "What the caller's own token may do on paths",
  dataOnTop: true,
  write: {
    summary: "Ask what the caller's own token may do",
    input: { token: sensitive(text("Not used; some clients send it")).default(""), ...pathFields },
    output,
    openOutput: true,
    handler: ({ token: _unused, ...input }, context) =>
      capabilitiesOf(context.services.exchange.token!, input, context),
  },
});

const accessor = path({
  pattern: "capabilities-accessor",
  summary: "What the token behind an accessor may do on paths",
  dataOnTop: true,
  write: {
    summary: "Ask what the token behind an accessor may do",
    input: { accessor: text("Accessor of the token").default(""), ...pathFields },
    output,
    openOutput: true,
    async handler({ accessor, ...input }, context) {
      const found = await context.services.tokens.byAccessor(accessor, context.services.storage);
      if (!alive(found, context.now)) throw invalidRequest("invalid accessor");
      return capabilitiesOf(found, input, context);
    },
  },
});

const resultant = path({
  pattern: "internal/ui/resultant-acl",
  summary: "All that the caller may do",
  read: {
    summary: "Read the caller's rules",
    openOutput: true,
    output: { exact_paths: object("By path"), glob_paths: object("By prefix or pattern") },
    async handler(_input, { services, now }) {
      const acl = await services.access.aclOf(services.exchange.token!, services.storage, now);
      return new Open({ ...resultantAcl(acl, now) });
    },
  },
});

const explanation = path({
  pattern: "capabilities-explain",
  summary: "Why a token may or may not do something",
  write: {
    summary: "Explain a decision; of another token than one's own only with sudo",
    input: {
      token: sensitive(text("The token; the caller's own when empty")).default(""),
      path: text("Path to explain, without /v1/"),
      operation: choice(["create", "read", "update", "patch", "delete", "list", "scan"], "What would be done").default(
        "read",
      ),
    },
    output: {
      allowed: flag("Whether it is allowed"),
      sudo: flag("Whether the rule gives sudo as well"),
      rule: text("Path of the rule that decided").nullable(),
      policies: items("Policies that the deciding rule comes from"),
      reason: text("Why not"),
      close: groups("Rules that came close", {
        path: text("Path of the rule"),
        capabilities: items("What it grants"),
        why: text("Why it did not decide"),
      }),
      needed: text("A rule that would allow it"),
    },
    async handler({ token, path, operation }, { services, caller, now }) {
      const own = services.exchange.token!;
      const isOther = token !== "" && token !== services.exchange.request.token;
      if (isOther && !caller?.sudo) throw permissionDenied();
      const found = isOther ? await services.tokens.find(token, services.storage) : own;
      if (!alive(found, now)) throw invalidRequest("invalid token");
      const acl = await services.access.aclOf(found, services.storage, now);
      const asked = path.replace(/^\//, "");
      return explain(acl, operation, asked, await services.needsSudo(asked, operation), now);
    },
  },
});

export const capabilityPaths = [any, self, accessor, explanation, resultant];
