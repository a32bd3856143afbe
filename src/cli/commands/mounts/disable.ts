/** `secrets disable` and `auth disable`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { cleanPath } from "../../path.ts";
import type { MountKind } from "./mount-kind.ts";

export const disableCommand = (kind: MountKind) =>
  clientCommand({
    summary: `Disable the ${kind.what} at a path, and delete all that it keeps`,
    parameters: "PATH",
    flags: formatFlag,
    async run({ client, print, during, positionals }) {
      const path = cleanPath(positionals[0]);
      await during(`disabling the ${kind.what} at ${path}/`, client.delete(`${kind.table}/${path}`));
      return print.done(`Success! Disabled the ${kind.what} (if it existed) at: ${path}/`);
    },
  });
