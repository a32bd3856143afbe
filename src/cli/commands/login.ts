/** `login`: proves who somebody is, and keeps the token for the commands that follow. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { exitCodes } from "../failure.ts";
import { environmentNames, switchFlag, textFlag } from "../flags.ts";
import { methodLogin } from "../login/method-login.ts";
import { oidcLogin } from "../login/oidc-login.ts";
import { tokenLogin } from "../login/token-login.ts";
import { Printer } from "../output/printer.ts";
import type { Terminal } from "../terminal.ts";
import { tokenFile, writeTokenFile } from "../token-file.ts";

const flags = {
  ...outputFlags,
  method: textFlag("How to log in: token, userpass, approle, cert, jwt or another method", { default: "token" }),
  path: textFlag("Where the method is mounted; by default under its own name"),
  "no-store": switchFlag("Do not keep the token for later commands"),
  "no-print": switchFlag("Print nothing"),
  "token-only": switchFlag("Print the token alone, and do not keep it"),
};

export const command = clientCommand({
  summary: "Log in, and keep the token for later commands",
  description: [
    "Without -method, logs in with a token: the argument, or - for standard input, or what is typed when asked.",
    "With another method, arguments of the form key=value go to it. A password that is missing is asked for.",
    "With -method=oidc a browser is opened. Settings: role, port (8250), callbackmode (client, direct or device), skip_browser, " +
      "listenaddress, callbackhost, callbackport, callbackmethod, abort_on_error.",
    "The token is kept in ~/.strongroom-token, or where STRONGROOM_TOKEN_PATH says.",
  ],
  parameters: "[TOKEN | K=V...]",
  examples: [
    { purpose: "Log in with a token, without showing it", line: "login" },
    { purpose: "Log in with a name and a password", line: "login -method=userpass username=ada" },
    { purpose: "Log in through an OIDC provider", line: "login -method=oidc role=staff" },
    { purpose: "Log in on a machine without a browser", line: "login -method=oidc role=staff callbackmode=device" },
    { purpose: "Log in with a signed token", line: "login -method=jwt role=ci jwt=@token" },
    {
      purpose: "Log in to a method at another path",
      line: "login -method=approle -path=ci role_id=@role secret_id=@secret",
    },
    {
      purpose: "Log in with a TLS certificate",
      line: "login -method=cert -client-cert=me.pem -client-key=me.key name=web",
    },
  ],
  flags,
  async run(session) {
    const { flags, print, terminal } = session;
    const answer = await loginOf(flags.method)(session);
    const token = answer.secret.auth?.client_token ?? "";
    const keep = token !== "" && !flags["no-store"] && !flags["token-only"];
    if (keep) await writeTokenFile(terminal.environment, token);
    if (flags["token-only"]) return new Printer(terminal, "table", "token").secret(answer);
    if (flags["no-print"]) return exitCodes.ok;
    if (token !== "" && flags.field === undefined) print.done(`${welcome(keep, terminal)}\n`);
    return print.secret(answer);
  },
});

function loginOf(method: string | undefined): typeof methodLogin {
  if (method === "token") return tokenLogin;
  return method === "oidc" ? oidcLogin : methodLogin;
}

function welcome(isKept: boolean, { environment }: Terminal): string {
  if (!isKept) return "Success! You are logged in. The token is not kept: set STRONGROOM_TOKEN to use it.";
  const set = environmentNames("TOKEN").find((name) => (environment[name] ?? "") !== "");
  const kept = `Success! You are logged in, and the token is kept in ${tokenFile(environment)}.`;
  return set === undefined
    ? kept
    : `${kept}\nWARNING! ${set} is set and comes before it: unset it to use the new token.`;
}
