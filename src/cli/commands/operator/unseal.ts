/** `operator unseal`: gives one share of the unseal key. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { switchFlag } from "../../flags.ts";
import { printSealStatus } from "../../seal-status.ts";
import { readKeyShare } from "./key-shares.ts";

export const unseal = clientCommand({
  summary: "Give one share of the unseal key",
  description: [
    "Without a KEY it is asked for and not shown; - reads it from standard input.",
    "Each holder runs this once, from any machine; when enough shares are given, the server serves.",
  ],
  parameters: "[KEY]",
  flags: {
    ...outputFlags,
    reset: switchFlag("Forget the shares given so far"),
    migrate: switchFlag("Not supported: the kind of seal cannot be changed", { hidden: true }),
  },
  async run({ client, print, during, positionals, terminal, flags }) {
    if (flags.migrate) throw new UsageError("-migrate is not supported: the kind of seal cannot be changed");
    const body = flags.reset
      ? { reset: true, migrate: false }
      : { key: await readKeyShare(positionals[0], terminal, "Unseal Key"), reset: false, migrate: false };
    const { data } = await during("unsealing", client.put("sys/unseal", body));
    return printSealStatus(client, print, data);
  },
});
