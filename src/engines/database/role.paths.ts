/** Declares dynamic roles. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { duration, integer, items, text, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { nameField, requireName } from "./name.ts";
import { emptyRole, type Role, shownRole } from "./role.ts";
import {
  credentialFields,
  requireUnique,
  settledCredential,
  shownCredentialFields,
  statements,
} from "./role-fields.ts";
import type { DatabaseServices } from "./services.ts";

const path = pathsFor<DatabaseServices>();

const plainFields = {
  db_name: text("Name of the connection that users are made on").default(""),
  default_ttl: duration("Lifetime of users; 0 for the mount's own").default(0),
  max_ttl: duration("Longest lifetime with all renewals; 0 for the mount's own, which it cannot exceed").default(0),
  creation_statements: statements("How a user is made; needed to issue credentials").default([]),
  revocation_statements: statements("How a user is ended, where the plugin's own way does not do").default([]),
  rollback_statements: statements("How a creation that failed half-way is undone").default([]),
  renew_statements: statements("How a user's life is prolonged, where the plugin's own way does not do").default([]),
};

const shownFields = {
  db_name: text("Name of the connection"),
  default_ttl: integer("Lifetime of users, in seconds"),
  max_ttl: integer("Longest lifetime, in seconds"),
  creation_statements: items("How a user is made"),
  revocation_statements: items("How a user is ended"),
  rollback_statements: items("How a failed creation is undone"),
  renew_statements: items("How a user's life is prolonged"),
  ...shownCredentialFields,
};

const role = path({
  pattern: "roles/:name",
  summary: "Manage roles that make a database user for each request",
  params: { name: nameField("role") },
  read: {
    summary: "Read a role",
    output: shownFields,
    async handler({ name }, { services }) {
      const found = await services.roles.get(requireName(name));
      if (!found) throw absent();
      return shownRole(found);
    },
  },
  write: {
    summary: "Create or change a role; what is not given stays",
    input: { ...plainFields, ...credentialFields },
    exists: ({ name }, { services }) => services.roles.has(name),
    async handler({ name, credential_type, credential_config, ...input }, { services, given, warn }) {
      requireName(name);
      requireUnique(await services.staticRoles.has(name));
      const before = await services.roles.get(name);
      const credential = settledCredential(before, { credential_type, credential_config }, given, warn);
      const after = { ...changed(before ?? emptyRole, input, given), ...credential };
      requireSound(after);
      const { maxLeaseSeconds } = services.mount;
      if (after.max_ttl > maxLeaseSeconds || after.default_ttl > maxLeaseSeconds) {
        warn(`lifetimes above the mount's maximum of ${maxLeaseSeconds} seconds are cut down to it`);
      }
      services.roles.put(name, after);
    },
  },
  delete: {
    summary: "Delete a role; users that it made live on until their leases end",
    async handler({ name }, { services }) {
      services.roles.delete(requireName(name));
    },
  },
  examples: [
    {
      operation: "write",
      request: {
        db_name: "search",
        default_ttl: "1h",
        max_ttl: "24h",
        creation_statements: ['{"searchengine_roles": ["reader"]}'],
      },
    },
  ],
});

const roles = path({
  pattern: "roles",
  summary: "List dynamic roles",
  list: {
    summary: "List the names of dynamic roles",
    input: pageFields,
    output: keysField,
    async handler(input, { services }) {
      const keys = await services.roles.list(pageOf(input));
      if (keys.length === 0) throw absent();
      return { keys };
    },
  },
});

export const rolePaths = [role, roles];

type PlainInput = Values<typeof plainFields>;

function changed(before: Role, input: PlainInput, given: (field: string) => boolean): Role {
  const kept = Object.entries(input).filter(([field]) => given(field));
  return { ...before, ...Object.fromEntries(kept) };
}

function requireSound({ db_name, default_ttl, max_ttl }: Role): void {
  if (db_name === "") throw invalidRequest("database name is required: set db_name to the name of a connection");
  for (const [field, seconds] of Object.entries({ default_ttl, max_ttl })) {
    if (seconds < 0) throw invalidRequest(`${field} cannot be negative`);
  }
}
