/** `version`: prints which program this is. */
import { defineCommand } from "../command.ts";
import { readVersion } from "../version.ts";

export const command = defineCommand({
  summary: "Print the version of this program",
  flags: {},
  async run({ terminal }) {
    terminal.write(`Strongroom v${readVersion()}\n`);
    return 0;
  },
});
