/** Declares roles. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { partial, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { checkedRole } from "./role.ts";
import { type Role, roleFields } from "./role-fields.ts";
import type { PkiServices } from "./services.ts";

const path = pathsFor<PkiServices>();

const role = path({
  pattern: "roles/:name",
  summary: "Manage the roles that certificates are issued under",
  params: { name: text("Name of the role") },
  read: {
    summary: "Read a role",
    output: roleFields,
    async handler({ name }, { services }) {
      const found = await services.roles.find(name);
      if (!found) throw absent();
      return found;
    },
  },
  write: {
    summary: "Create or replace a role; what is not given becomes the default",
    input: roleFields,
    output: roleFields,
    exists: async ({ name }, { services }) => (await services.roles.find(name)) !== undefined,
    handler: ({ name, ...settings }, { services, warn }) => save(services, name, settings, warn),
  },
  patch: {
    summary: "Change some settings of a role",
    input: partial(roleFields),
    output: roleFields,
    async handler({ name, ...changes }, { services, warn }) {
      const before = await services.roles.find(name);
      if (!before) throw invalidRequest("Unable to fetch role entry to patch");
      return save(services, name, { ...before, ...(changes as Partial<Role>) }, warn);
    },
  },
  delete: {
    summary: "Delete a role; what was issued under it lives on",
    handler: async ({ name }, { services }) => services.roles.delete(name),
  },
  examples: [
    { operation: "write", request: { allowed_domains: "example.com", allow_subdomains: true, max_ttl: "72h" } },
    { operation: "patch", request: { max_ttl: "24h" } },
  ],
});

async function save(services: PkiServices, name: string, given: Role, warn: (message: string) => void): Promise<Role> {
  const checked = checkedRole(given, warn);
  services.roles.put(name, checked);
  if ((await services.issuers.find(checked.issuer_ref)) === undefined && checked.issuer_ref !== "default") {
    warn(`Issuing Certificate was set to ${checked.issuer_ref} but no issuing certificate currently has that name`);
  }
  return checked;
}

const roles = path({
  pattern: "roles",
  summary: "Roles that certificates are issued under",
  list: {
    summary: "List roles",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.roles.list(pageOf(page)) }),
  },
});

export const rolePaths = [roles, role];
