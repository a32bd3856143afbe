/** `auth …`: manages auth methods. */
import { clientCommand } from "../client-command.ts";
import { formatFlag } from "../client-flags.ts";
import type { CommandGroup } from "../command.ts";
import { cleanPath } from "../path.ts";
import { printPathHelp } from "../path-help.ts";
import { disableCommand } from "./mounts/disable.ts";
import { enableCommand } from "./mounts/enable.ts";
import { listCommand } from "./mounts/list.ts";
import { authKind } from "./mounts/mount-kind.ts";
import { moveCommand } from "./mounts/move.ts";
import { tuneCommand } from "./mounts/tune.ts";

const help = clientCommand({
  summary: "Explain the auth method at a path",
  parameters: "PATH",
  flags: formatFlag,
  run: (session) => printPathHelp(session, `auth/${cleanPath(session.positionals[0])}/`),
});

export const command: CommandGroup = {
  summary: "Manage auth methods",
  commands: {
    enable: enableCommand(authKind),
    disable: disableCommand(authKind),
    list: listCommand(authKind),
    tune: tuneCommand(authKind),
    move: moveCommand(authKind),
    help,
  },
};
