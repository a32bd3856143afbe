/** Declares `sys/policies/password`: what passwords that the server makes look like. */
import { sensitive, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { PasswordPolicies } from "../policies/password-policies.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const params = { name: text("Name of the password policy") };
const policiesOf = ({ random }: SystemServices) => new PasswordPolicies(random);

const policies = path({
  pattern: "policies/password",
  summary: "All password policies",
  list: {
    summary: "List password policies",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await policiesOf(services).list(services.storage, pageOf(page)) }),
  },
});

const policy = path({
  pattern: "policies/password/:name",
  summary: "A password policy",
  params,
  read: {
    summary: "Read a password policy",
    output: { policy: text("The policy as it was written") },
    handler: async ({ name }, { services }) => ({ policy: await policiesOf(services).get(name, services.storage) }),
  },
  write: {
    summary: "Write a password policy",
    input: { policy: text("The policy in HCL or JSON, or base64 of either").default("") },
    async handler({ name, policy }, { services }) {
      policiesOf(services).put(name, policy, services.storage);
    },
  },
  delete: {
    summary: "Delete a password policy",
    handler: async ({ name }, { services }) => policiesOf(services).delete(name, services.storage),
  },
  examples: [
    {
      operation: "write",
      request: { policy: 'length = 20\nrule "charset" { charset = "abcdefghijklmnopqrstuvwxyz0123456789" }' },
    },
  ],
});

const generate = path({
  pattern: "policies/password/:name/generate",
  summary: "A password by a policy",
  params,
  read: {
    summary: "Make a password",
    output: { password: sensitive(text("The password; it is kept nowhere")) },
    handler: async ({ name }, { services }) => ({
      password: await policiesOf(services).generate(name, services.storage),
    }),
  },
});

export const passwordPolicyPaths = [policies, policy, generate];
