/** `operator …`: what operators of a server do. */
import type { CommandGroup } from "../command.ts";
import { generateRoot } from "./operator/generate-root.ts";
import { init } from "./operator/init.ts";
import { keyStatus, rotate } from "./operator/keyring.ts";
import { members } from "./operator/members.ts";
import { rekeyCommand } from "./operator/rekey.ts";
import { seal } from "./operator/seal.ts";
import { unseal } from "./operator/unseal.ts";

export const command: CommandGroup = {
  summary: "Initialize, unseal and look after a server",
  commands: {
    init,
    unseal,
    seal,
    rotate,
    "key-status": keyStatus,
    rekey: rekeyCommand("Replace the key shares, without a token; servers allow it only if configured to", {
      barrier: "sys/rekey",
      recovery: "sys/rekey-recovery-key",
    }),
    "rotate-keys": rekeyCommand("Replace the key shares", {
      barrier: "sys/rotate/root",
      recovery: "sys/rotate/recovery",
    }),
    "generate-root": generateRoot,
    members,
  },
};
