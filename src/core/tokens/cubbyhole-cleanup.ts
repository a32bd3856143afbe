/** Takes away the private space of a token that is gone. */
import { storagePrefix } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { deleteSome } from "../mounts/wipe.ts";
import type { Cleanup } from "./revocation.ts";

export const cubbyholeCleanup: Cleanup = async (tokenKey, storage, most) => {
  const { entries } = await readMountTable(storage);
  let taken = 0;
  for (const entry of entries) {
    if (entry.type !== "cubbyhole" || taken >= most) continue;
    taken += await deleteSome(`${storagePrefix(entry)}${tokenKey}/`, storage, most - taken);
  }
  return taken;
};
