/** Logs in with an auth method: `auth/<path>/login`, or `…/login/<name>` for those that know people by name. */
import type { Answer } from "../../client/client.ts";
import type { Session } from "../client-command.ts";
import { UsageError } from "../failure.ts";
import type { Flags, textFlag } from "../flags.ts";
import { readData } from "../input.ts";
import { cleanPath } from "../path.ts";

/** Methods that take the user's name in the path and a password in the body. */
const passwordMethods = new Set(["userpass", "ldap", "radius", "okta"]);

export interface LoginFlags extends Flags {
  readonly method: ReturnType<typeof textFlag>;
  readonly path: ReturnType<typeof textFlag>;
}

export async function methodLogin(session: Session<LoginFlags>): Promise<Answer> {
  const { client, during, flags, positionals, terminal } = session;
  const method = flags.method ?? "";
  if (method === "cert" && !session.flags["client-cert"]) {
    throw new UsageError("a login with a certificate needs -client-cert=<file> and -client-key=<file>");
  }
  const { username, ...data } = await readData(positionals, terminal);
  const path = `auth/${cleanPath(flags.path ?? method)}/login`;
  // A token of before has no part in a login, and an old one must not spoil it.
  if (!passwordMethods.has(method)) {
    const body = username === undefined ? data : { ...data, username };
    return during(`logging in at ${path}`, client.put(path, body, { token: "" }));
  }
  if (typeof username !== "string" || username === "")
    throw new UsageError("give the name of the user: username=<name>");
  const password = data["password"] ?? (await terminal.askSecret("Password (will be hidden): "));
  return during(`logging in at ${path}`, client.put(`${path}/${username}`, { ...data, password }, { token: "" }));
}
