/** `operator rotate` and `operator key-status`: the key that new values are encrypted with. */
import type { Client } from "../../../client/client.ts";
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { cellText } from "../../output/cell.ts";
import type { Printer } from "../../output/printer.ts";

export const keyStatus = clientCommand({
  summary: "Print which encryption key is in use",
  flags: outputFlags,
  run: ({ client, print, during }) => during("asking for the key status", printKeyStatus(client, print)),
});

export const rotate = clientCommand({
  summary: "Add a new encryption key; old ones stay for reading",
  flags: outputFlags,
  async run({ client, print, during, flags }) {
    await during("rotating the key", client.post("sys/rotate/keyring"));
    if (flags.field === undefined) print.done("Success! Rotated key\n");
    return during("asking for the key status", printKeyStatus(client, print));
  },
});

async function printKeyStatus(client: Client, print: Printer): Promise<number> {
  const { data } = await client.get("sys/key-status");
  const titles = { term: "Key Term", install_time: "Install Time", encryptions: "Encryption Count" };
  const rows = Object.entries(titles).map(([name, title]) => [title, cellText(data[name])]);
  return print.data(data, rows);
}
