/** `operator seal`: makes a server forget its keys. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";

export const seal = clientCommand({
  summary: "Seal a server: it forgets its keys and serves nothing until it is unsealed",
  flags: formatFlag,
  async run({ client, print, during }) {
    await during("sealing", client.put("sys/seal"));
    return print.done("Success! The server is sealed.");
  },
});
