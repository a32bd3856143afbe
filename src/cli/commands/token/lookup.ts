/** `token lookup`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { switchFlag } from "../../flags.ts";
import { readSecretArgument } from "../../input.ts";

export const tokenLookup = clientCommand({
  summary: "Look up a token: the current one, or one that is named",
  description: ["A TOKEN of - is read from standard input."],
  parameters: "[TOKEN]",
  flags: { ...outputFlags, accessor: switchFlag("The argument is an accessor") },
  async run({ client, print, during, flags, positionals, terminal }) {
    const token = await readSecretArgument(positionals[0], terminal);
    const work =
      token === undefined
        ? client.get("auth/token/lookup-self")
        : flags.accessor
          ? client.post("auth/token/lookup-accessor", { accessor: token })
          : client.post("auth/token/lookup", { token });
    return print.secret(await during("looking up the token", work));
  },
});
