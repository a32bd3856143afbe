/** `print token`: shows the token that commands use. */
import { currentToken } from "../client-flags.ts";
import { type CommandGroup, defineCommand } from "../command.ts";
import { exitCodes } from "../failure.ts";

const token = defineCommand({
  summary: "Print the token that commands send: from the environment, or as login left it",
  flags: {},
  async run({ terminal }) {
    terminal.write(`${await currentToken(terminal.environment)}\n`);
    return exitCodes.ok;
  },
});

export const command: CommandGroup = { summary: "Print values of this program's own", commands: { token } };
