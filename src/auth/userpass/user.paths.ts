/** Declares users: who may log in with a password, and what their tokens are like. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { text, writeOnly } from "../../api/fields.ts";
import {
  changedTokenFields,
  olderTokenFields,
  plainKeptTokenFields,
  shownOlderFields,
  shownTokenFields,
} from "../../api/kept-token-fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { foldedName, requireRoleName } from "../../api/role-name.ts";
import { tokenFields } from "../../api/token-fields.ts";
import { type Passwords, requireImportable } from "./password.ts";
import type { User, UserpassServices, Users } from "./user.ts";

const path = pathsFor<UserpassServices>();

const params = { username: text("Name of the user; upper and lower case are one") };

const passwordFields = {
  password: writeOnly(text("Password of the user")).default(""),
  password_hash: writeOnly(text("Instead of a password, its bcrypt hash")).default(""),
};

const { policies, ttl, max_ttl, bound_cidrs } = olderTokenFields;
const older = { policies, ttl, max_ttl, bound_cidrs };

const user = path({
  pattern: "users/:username",
  summary: "Manage users who log in with a password",
  params,
  read: {
    summary: "Read what tokens of a user are like",
    output: { ...tokenFields, ...shownOlderFields },
    async handler({ username }, { services }) {
      const found = await services.users.find(username);
      if (!found) throw absent();
      return shownTokenFields(found);
    },
  },
  write: {
    summary: "Create or change a user; what is not given stays",
    input: { ...passwordFields, ...tokenFields, ...older },
    exists: async ({ username }, { services }) => (await services.users.find(username)) !== undefined,
    async handler({ username, ...input }, { services, given }) {
      const name = requireRoleName("a user", username);
      const before = await services.users.find(name);
      const settings = changedTokenFields(before ?? plainKeptTokenFields, input, given);
      const isNew = given("password") || given("password_hash");
      const hash = isNew || !before ? await newHash(input, services.passwords) : before.password_hash;
      services.users.put(name, { ...settings, password_hash: hash });
    },
  },
  delete: {
    summary: "Delete a user; tokens live on until their next renewal",
    async handler({ username }, { services }) {
      const name = foldedName(username);
      services.users.delete(name);
      await services.lockouts.clear(name);
    },
  },
  examples: [{ operation: "write", request: { password: "correct horse", token_policies: "web,metrics" } }],
});

const users = path({
  pattern: "users",
  summary: "Users who log in with a password",
  list: {
    summary: "List users",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.users.list(pageOf(page)) }),
  },
});

const password = path({
  pattern: "users/:username/password",
  summary: "Change the password of a user",
  params,
  write: {
    summary: "Set a new password",
    input: passwordFields,
    async handler({ username, ...input }, { services }) {
      const found = await existing(username, services.users);
      const password_hash = await newHash(input, services.passwords);
      services.users.put(foldedName(username), { ...found, password_hash });
    },
  },
  examples: [{ operation: "write", request: { password: "battery staple" } }],
});

const userPolicies = path({
  pattern: "users/:username/policies",
  summary: "Change the policies of a user",
  params,
  write: {
    summary: "Set the policies of a user's tokens",
    input: { token_policies: tokenFields.token_policies, policies },
    async handler({ username, ...input }, { services, given }) {
      const found = await existing(username, services.users);
      services.users.put(foldedName(username), { ...found, ...changedTokenFields(found, input, given) });
    },
  },
  examples: [{ operation: "write", request: { token_policies: "web,metrics" } }],
});

async function existing(username: string, users: Users): Promise<User> {
  const found = await users.find(username);
  if (!found) throw invalidRequest("username does not exist");
  return found;
}

function newHash(
  { password, password_hash }: { password: string; password_hash: string },
  passwords: Passwords,
): Promise<string> | string {
  if (password !== "" && password_hash !== "") {
    throw invalidRequest("only one of password or password_hash may be provided");
  }
  if (password_hash !== "") return requireImportable(password_hash);
  if (password === "") throw invalidRequest("missing password");
  return passwords.hash(password);
}

export const userPaths = [user, users, password, userPolicies];
