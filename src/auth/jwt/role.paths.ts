/** Declares roles. */
import { absent } from "../../api/errors.ts";
import { text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { requireRoleName } from "../../api/role-name.ts";
import { newRoleSettings } from "./role.ts";
import { changedSettings, roleFields, shownRole, shownRoleFields } from "./role-fields.ts";
import { requireSoundRole, roleWarnings } from "./role-rules.ts";
import type { JwtServices } from "./services.ts";

const path = pathsFor<JwtServices>();

const role = path({
  pattern: "role/:name",
  summary: "Manage roles",
  params: { name: text("Name of the role; upper and lower case are one") },
  read: {
    summary: "Read a role",
    output: shownRoleFields,
    async handler({ name }, { services }) {
      const found = await services.roles.find(name);
      if (!found) throw absent();
      return shownRole(found);
    },
  },
  write: {
    summary: "Create or change a role; what is not given stays",
    input: roleFields,
    exists: async ({ name }, { services }) => (await services.roles.find(name)) !== undefined,
    async handler({ name: given, ...input }, { services, given: isGiven, warn }) {
      const name = requireRoleName("a role", given);
      const before = (await services.roles.find(name)) ?? newRoleSettings;
      const after = changedSettings(before, input, isGiven);
      requireSoundRole(after, services.host.mount);
      for (const warning of roleWarnings(after, services.host.mount)) warn(warning);
      services.roles.save(name, after);
    },
  },
  delete: {
    summary: "Delete a role; tokens live on until their next renewal",
    handler: async ({ name }, { services }) => services.roles.delete(name),
  },
  examples: [
    {
      operation: "write",
      request: {
        role_type: "jwt",
        bound_audiences: "https://vault.example.com",
        user_claim: "sub",
        token_policies: "ci",
      },
    },
  ],
});

const roles = path({
  pattern: "role",
  summary: "Roles",
  list: {
    summary: "List roles",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.roles.list(pageOf(page)) }),
  },
});

export const rolePaths = [role, roles];
