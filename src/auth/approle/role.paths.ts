/** Declares roles and their role ids. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { requireRoleName } from "../../api/role-name.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { newRole, type Role } from "./role.ts";
import {
  changedSettings,
  type RoleInput,
  requirePeriodWithin,
  roleFields,
  shownRoleFields,
  shownSettings,
} from "./role-fields.ts";
import type { ApproleServices } from "./services.ts";

const path = pathsFor<ApproleServices>();

export const roleParams = { role_name: text("Name of the role; upper and lower case are one") };

const longestRoleId = 4096;

const role = path({
  pattern: "role/:role_name",
  summary: "Manage roles of machines",
  params: roleParams,
  read: {
    summary: "Read a role",
    output: shownRoleFields,
    async handler({ role_name }, { services }) {
      const found = await services.roles.find(role_name);
      if (!found) throw absent();
      return shownSettings(found);
    },
  },
  write: {
    summary: "Create or change a role; what is not given stays",
    input: { role_id: text("Names the role in logins; made up if not given").default(""), ...roleFields },
    exists: async ({ role_name }, { services }) => (await services.roles.find(role_name)) !== undefined,
    async handler({ role_name, role_id, ...input }, { services, given, warn }) {
      const name = requireRoleName("a role", role_name);
      const before = await services.roles.find(name);
      if (before && given("local_secret_ids") && input.local_secret_ids !== before.local_secret_ids) {
        throw invalidRequest("local_secret_ids can only be modified during role creation");
      }
      const id = given("role_id") ? requireRoleId(role_id) : (before?.role_id ?? randomUuid(services.random));
      const started = before ?? newRole(name, id, services.random);
      const after = { ...changedSettings(started, settledType(input, warn), given), role_id: id };
      requirePeriodWithin(after, services.mount.maxLeaseSeconds);
      warnOfLongLife(after, services.mount.maxLeaseSeconds, warn);
      await services.roles.save(after, before);
    },
  },
  delete: {
    summary: "Delete a role and its secret ids; tokens live on until their next renewal",
    async handler({ role_name }, { services }) {
      const found = await services.roles.find(role_name);
      if (!found) return;
      services.roles.delete(found);
      await services.secretIds.removeAll(found.folder);
      await services.lockouts.clear(found.role_id);
    },
  },
  examples: [{ operation: "write", request: { token_policies: "web", secret_id_num_uses: 10, secret_id_ttl: "24h" } }],
});

const roles = path({
  pattern: "role",
  summary: "Roles of machines",
  list: {
    summary: "List roles",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.roles.list(pageOf(page)) }),
  },
});

const roleId = path({
  pattern: "role/:role_name/role-id",
  summary: "The id that names a role in logins",
  params: roleParams,
  read: {
    summary: "Read the role id",
    output: { role_id: text("Names the role in logins") },
    async handler({ role_name }, { services }) {
      const found = await services.roles.find(role_name);
      if (!found) throw absent();
      return { role_id: found.role_id };
    },
  },
  write: {
    summary: "Set the role id",
    input: { role_id: text("Names the role in logins").default("") },
    async handler({ role_name, role_id }, { services }) {
      if (role_id.trim() === "") throw invalidRequest("missing role_id");
      const found = await services.roles.require(role_name);
      await services.roles.save({ ...found, role_id: requireRoleId(role_id) }, found);
    },
  },
  examples: [{ operation: "write", request: { role_id: "web-servers" } }],
});

function requireRoleId(given: string): string {
  // A login's role id is trimmed: one with spaces around it could never be used.
  const id = given.trim();
  if (id === "") throw invalidRequest("invalid role_id supplied, or failed to generate a role_id");
  if (Buffer.byteLength(id) > longestRoleId) throw invalidRequest(`role_id is longer than ${longestRoleId} bytes`);
  return id;
}

/** Words that mean something for mounts only. */
function settledType(input: RoleInput, warn: (message: string) => void): RoleInput {
  const { token_type } = input;
  if (token_type !== "default-service" && token_type !== "default-batch") return input;
  const settled = token_type === "default-service" ? "service" : "batch";
  warn(`${token_type} has no useful meaning; adjusting to ${settled}`);
  return { ...input, token_type: settled };
}

function warnOfLongLife({ token }: Role, maxSeconds: number, warn: (message: string) => void): void {
  if (token.token_max_ttl <= maxSeconds) return;
  warn(
    "token_max_ttl is greater than the backend mount's maximum TTL value; " +
      "issued tokens' max TTL value will be truncated",
  );
}

export const rolePaths = [role, roles, roleId];
