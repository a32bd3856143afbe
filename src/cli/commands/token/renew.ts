/** `token renew`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { durationFlag, switchFlag } from "../../flags.ts";
import { readSecretArgument } from "../../input.ts";

export const tokenRenew = clientCommand({
  summary: "Renew a token: the current one, or one that is named",
  description: ["A TOKEN of - is read from standard input."],
  parameters: "[TOKEN]",
  flags: {
    ...outputFlags,
    accessor: switchFlag("The argument is an accessor"),
    increment: durationFlag("How long the token should live from now; the server may give less", { default: 0 }),
  },
  async run({ client, print, during, flags, positionals, terminal }) {
    const token = await readSecretArgument(positionals[0], terminal);
    const { increment } = flags;
    const work =
      token === undefined
        ? client.put("auth/token/renew-self", { increment })
        : flags.accessor
          ? client.put("auth/token/renew-accessor", { accessor: token, increment })
          : client.put("auth/token/renew", { token, increment });
    return print.secret(await during("renewing the token", work));
  },
});
