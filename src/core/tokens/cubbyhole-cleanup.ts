/** Takes away the private space of a token that is gone. */
import { storagePrefix } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { deleteSome } from "../mounts/wipe.ts";
import type { Cleanup } from "./revocation.ts";

export const cubbyholeCleanup: Cleanup = async (tokenKey, storage, most) => {
  const { entries } = await readMountTable(storage);
  let left = false;
  for (const entry of entries.filter(({ type }) => type === "cubbyhole")) {
    const space = `${storagePrefix(entry)}${tokenKey}/`;
    left = (await deleteSome(space, storage, most)) >= most || left;
  }
  return left;
};
