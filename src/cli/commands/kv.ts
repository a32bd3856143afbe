/** `kv …`: key-value secrets, with and without versions. */
import type { CommandGroup } from "../command.ts";
import { kvDelete } from "./kv/delete.ts";
import { kvEnableVersioning } from "./kv/enable-versioning.ts";
import { kvGet } from "./kv/get.ts";
import { kvList, kvScan } from "./kv/list.ts";
import { kvMetadata } from "./kv/metadata.ts";
import { kvPatch } from "./kv/patch.ts";
import { kvPut } from "./kv/put.ts";
import { kvRollback } from "./kv/rollback.ts";
import { kvDestroy, kvUndelete } from "./kv/versions.ts";

export const command: CommandGroup = {
  summary: "Keep key-value secrets",
  commands: {
    put: kvPut,
    get: kvGet,
    patch: kvPatch,
    delete: kvDelete,
    undelete: kvUndelete,
    destroy: kvDestroy,
    list: kvList,
    scan: kvScan,
    metadata: kvMetadata,
    rollback: kvRollback,
    "enable-versioning": kvEnableVersioning,
  },
};
