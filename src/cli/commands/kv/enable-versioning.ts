/** `kv enable-versioning`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { cleanPath } from "../../path.ts";

export const kvEnableVersioning = clientCommand({
  summary: "Let a key-value engine keep versions",
  parameters: "MOUNT",
  flags: formatFlag,
  async run({ client, print, during, positionals }) {
    const path = cleanPath(positionals[0]);
    const work = client.post(`sys/mounts/${path}/tune`, { options: { version: "2" } });
    await during(`turning versions on at ${path}/`, work);
    return print.done(`Success! Tuned the secrets engine at: ${path}/`);
  },
});
