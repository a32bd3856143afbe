/** `secrets …`: manages secrets engines. */
import type { CommandGroup } from "../command.ts";
import { disableCommand } from "./mounts/disable.ts";
import { enableCommand } from "./mounts/enable.ts";
import { listCommand } from "./mounts/list.ts";
import { secretsKind } from "./mounts/mount-kind.ts";
import { moveCommand } from "./mounts/move.ts";
import { tuneCommand } from "./mounts/tune.ts";

export const command: CommandGroup = {
  summary: "Manage secrets engines",
  commands: {
    enable: enableCommand(secretsKind),
    disable: disableCommand(secretsKind),
    list: listCommand(secretsKind),
    tune: tuneCommand(secretsKind),
    move: moveCommand(secretsKind),
  },
};
