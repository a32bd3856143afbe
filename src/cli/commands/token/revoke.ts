/** `token revoke`. */
import { clientCommand, type Session } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { choiceFlag, switchFlag } from "../../flags.ts";
import { readSecretArgument } from "../../input.ts";
import { cleanPath } from "../../path.ts";

const flags = {
  ...formatFlag,
  self: switchFlag("Revoke the current token"),
  accessor: switchFlag("The argument is an accessor"),
  mode: choiceFlag(["tree", "orphan", "path"], "Whether children go too, stay as orphans, or all tokens of a path go", {
    default: "tree",
  }),
};

export const tokenRevoke = clientCommand({
  summary: "Revoke a token and what was made with it",
  description: ["A TOKEN of - is read from standard input. With -mode=path the argument is the path of a login."],
  parameters: "[TOKEN | ACCESSOR | PATH]",
  flags,
  async run(session) {
    const { print, during, positionals, terminal } = session;
    const argument = await readSecretArgument(positionals[0], terminal);
    await during("revoking the token", revoke(session, argument));
    return print.done("Success! Revoked token (if it existed)");
  },
});

async function revoke({ client, flags: { self, accessor, mode } }: Session<typeof flags>, argument?: string) {
  if (self) {
    if (argument !== undefined || accessor || mode !== "tree") throw new UsageError("-self goes with nothing else");
    return client.put("auth/token/revoke-self");
  }
  if (argument === undefined) throw new UsageError("say which token: TOKEN, -accessor ACCESSOR or -self");
  if (mode === "path") return client.put(`sys/leases/revoke-prefix/${cleanPath(argument)}`, { sync: true });
  if (accessor && mode === "orphan") throw new UsageError("-mode=orphan needs the token itself, not its accessor");
  if (accessor) return client.put("auth/token/revoke-accessor", { accessor: argument });
  return client.put(mode === "orphan" ? "auth/token/revoke-orphan" : "auth/token/revoke", { token: argument });
}
