/** Takes away the private space of a token that is gone. */
import type { Storage } from "../../api/engine.ts";
import { storagePrefix } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
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

/** Answers how many it deleted, at most about `most`. */
async function deleteSome(prefix: string, storage: Storage, most: number): Promise<number> {
  let deleted = 0;
  for (const name of await storage.list(prefix, { limit: most })) {
    if (deleted >= most) return deleted;
    if (name.endsWith("/")) deleted += await deleteSome(prefix + name, storage, most - deleted);
    else {
      storage.delete(prefix + name);
      deleted += 1;
    }
  }
  return deleted;
}
