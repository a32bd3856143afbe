/** Declares how users log in, and what is asked again when their tokens are renewed. */
import { invalidRequest, permissionDenied } from "../../api/errors.ts";
import { text, writeOnly } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { Login } from "../../api/reply.ts";
import { foldedName } from "../../api/role-name.ts";
import type { TokenFieldValues } from "../../api/token-fields.ts";
import { isCurrentHash } from "./password.ts";
import type { User, UserpassServices } from "./user.ts";

const path = pathsFor<UserpassServices>();

const login = path({
  pattern: "login/:username",
  summary: "Log in with a password",
  access: "public",
  params: { username: text("Name of the user; upper and lower case are one") },
  write: {
    summary: "Log in",
    input: { password: writeOnly(text("Password of the user")).default("") },
    // A failure is counted although the request fails, and hashing is too dear to be run again on a conflict.
    effects: true,
    async handler({ username, password }, { services, now, transaction }) {
      if (password === "") throw invalidRequest("missing password");
      const name = foldedName(username);
      if (await services.lockouts.isLocked(name, now)) throw permissionDenied();
      const user = await services.users.find(name);
      const isRight = await services.passwords.matches(password, user?.password_hash);
      const renewed =
        user && isRight && !isCurrentHash(user.password_hash) ? await services.passwords.hash(password) : "";
      const outcome = await transaction((current) => settle(current, { name, user, isRight, renewed, now }));
      if (outcome === "locked") throw permissionDenied();
      if (outcome === "wrong") throw invalidRequest("invalid username or password");
      return loginOf(name, outcome);
    },
  },
  examples: [{ operation: "write", request: { password: "correct horse" } }],
});

interface Attempt {
  readonly name: string;
  readonly user: User | undefined;
  readonly isRight: boolean;
  /** A stronger hash of the same password; empty if the stored one will do. */
  readonly renewed: string;
  readonly now: Date;
}

/**
 * Asks for the lock once more: of many guesses sent at once, only those that are done before the lock falls count.
 * And a password that was changed, or a user who was deleted, while the hash was made is no longer right.
 */
async function settle({ users, lockouts }: UserpassServices, attempt: Attempt): Promise<User | "locked" | "wrong"> {
  const { name, user, isRight, renewed, now } = attempt;
  if (await lockouts.isLocked(name, now)) return "locked";
  const current = await users.find(name);
  if (!current || !isRight || current.password_hash !== user?.password_hash) {
    await lockouts.recordFailure(name, now, { known: current !== undefined });
    return "wrong";
  }
  if (renewed !== "") users.put(name, { ...current, password_hash: renewed });
  await lockouts.clear(name);
  return current;
}

const loginOf = (username: string, { token }: User) =>
  new Login({
    alias: { name: username },
    displayName: username,
    metadata: { username },
    token,
    internal: { username, policies: token.token_policies },
  });

export async function renewLogin(
  { username, policies }: Readonly<Record<string, unknown>>,
  { users }: UserpassServices,
): Promise<TokenFieldValues> {
  const user = await users.find(String(username));
  if (!user) throw invalidRequest("the user of this token does not exist any more");
  if (JSON.stringify(user.token.token_policies) !== JSON.stringify(policies)) {
    throw invalidRequest("policies have changed, not renewing");
  }
  return user.token;
}

export const loginPaths = [login];
