/** Declares ACL policies: `sys/policies/acl`, `sys/policies/detailed/acl` and the older `sys/policy`. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { duration, flag, integer, items, named, text, time, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import type { PolicyRecord } from "../policies/stored-policy.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const params = { name: text("Name of the policy") };

const settings = {
  policy: text("The policy in HCL or JSON, or base64 of either").optional(),
  expiration: time("When the policy ends, RFC 3339").optional(),
  ttl: duration("How long the policy lasts, in place of expiration").optional(),
  cas: integer("Write only over this version; -1 if there must be none").optional(),
  cas_required: flag("Refuse writes without cas").optional(),
  allow_wildcards_in_identity_templates: flag("Let values of templates have * and +").optional(),
  allow_slashes_in_identity_templates: flag("Let values of templates have slashes").optional(),
};

const policyFields = {
  name: text("Name of the policy"),
  policy: text("The policy as it was written"),
  version: integer("Grows with each change"),
  cas_required: flag("Whether writes need cas"),
  modified: text("When it was written last").nullable(),
  expiration: text("When it ends").optional(),
  allow_wildcards_in_identity_templates: flag("Whether values of templates may have * and +"),
  allow_slashes_in_identity_templates: flag("Whether values of templates may have slashes"),
};

const described = ({ expiration, ...record }: PolicyRecord) => ({
  ...record,
  ...(expiration !== null && { expiration }),
});

async function readPolicy({ services, now }: Context<SystemServices>, name: string): Promise<PolicyRecord> {
  const found = await services.policies.get(name, services.storage, now);
  if (!found) throw absent();
  return found;
}

async function writePolicy(context: Context<SystemServices>, name: string, input: Values<typeof settings>) {
  const { services, now, warn } = context;
  const { policy = "" } = input;
  if (policy === "") throw invalidRequest("'policy' parameter not supplied or empty");
  const { warnings } = await services.policies.put(name, { ...input, policy }, services.storage, now);
  warnings.forEach(warn);
}

const list = {
  summary: "List policies",
  input: pageFields,
  output: keysField,
  handler: async (page: Values<typeof pageFields>, { services }: Context<SystemServices>) => ({
    keys: await services.policies.list(services.storage, pageOf(page)),
  }),
};

const policies = path({ pattern: "policies/acl", summary: "All policies", list });

const policy = path({
  pattern: "policies/acl/:name*",
  summary: "What tokens with a policy may do",
  params,
  read: {
    summary: "Read a policy",
    output: policyFields,
    handler: async ({ name }, context) => described(await readPolicy(context, name)),
  },
  write: {
    summary: "Write a policy",
    input: settings,
    handler: ({ name, ...input }, context) => writePolicy(context, name, input),
  },
  patch: {
    summary: "Change some settings of a policy",
    input: settings,
    async handler({ name, policy, ...rest }, { services, now, warn }) {
      const changes = policy === undefined ? rest : { ...rest, policy };
      const written = await services.policies.patch(name, changes, services.storage, now);
      if (!written) throw absent();
      written.warnings.forEach(warn);
    },
  },
  delete: {
    summary: "Delete a policy",
    handler: async ({ name }, { services }) => services.policies.delete(name, services.storage),
  },
  examples: [{ operation: "write", request: { policy: 'path "secret/data/web/*" { capabilities = ["read"] }' } }],
});

const detailed = path({
  pattern: "policies/detailed/acl",
  summary: "All policies with their texts",
  list: {
    summary: "List policies with their texts",
    input: pageFields,
    output: { ...keysField, key_info: named("Policies by name", policyFields) },
    async handler(page, { services, now }) {
      const keys = await services.policies.list(services.storage, pageOf(page));
      const records = await Promise.all(keys.map((name) => services.policies.get(name, services.storage, now)));
      const found = records.filter((record) => record !== undefined);
      return {
        keys: found.map(({ name }) => name),
        key_info: Object.fromEntries(found.map((r) => [r.name, described(r)])),
      };
    },
  },
});

const olderList = path({
  pattern: "policy",
  summary: "All policies, in the older form",
  dataOnTop: true,
  read: {
    summary: "List policies",
    input: pageFields,
    output: { ...keysField, policies: items("Names of policies") },
    async handler(page, { services }) {
      const keys = await services.policies.list(services.storage, pageOf(page));
      return { keys, policies: keys };
    },
  },
  list,
});

const older = path({
  pattern: "policy/:name*",
  summary: "What tokens with a policy may do, in the older form",
  dataOnTop: true,
  params,
  read: {
    summary: "Read a policy",
    output: { name: text("Name of the policy"), rules: text("The policy as it was written") },
    async handler({ name }, context) {
      const { name: normalized, policy } = await readPolicy(context, name);
      return { name: normalized, rules: policy };
    },
  },
  write: {
    summary: "Write a policy",
    input: { ...settings, rules: text("Older name of policy").optional() },
    handler: ({ name, rules, policy, ...input }, context) =>
      writePolicy(context, name, { ...input, policy: policy || rules }),
  },
  delete: {
    summary: "Delete a policy",
    handler: async ({ name }, { services }) => services.policies.delete(name, services.storage),
  },
});

export const policyPaths = [policies, policy, detailed, olderList, older];
