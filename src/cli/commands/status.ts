/** `status`: tells whether the server is sealed. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { exitCodes } from "../failure.ts";
import { printSealStatus } from "../seal-status.ts";

export const command = clientCommand({
  summary: "Print whether the server is initialized and sealed",
  description: ["The exit code is 0 when it is unsealed, 2 when it is sealed, and 1 when it cannot be asked."],
  flags: outputFlags,
  async run({ client, print, during }) {
    const { data } = await during("asking for the seal status", client.get("sys/seal-status"), exitCodes.local);
    await printSealStatus(client, print, data);
    return data["sealed"] === true ? exitCodes.refused : exitCodes.ok;
  },
});
