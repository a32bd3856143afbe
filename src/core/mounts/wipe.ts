/** Deletes the records of a mount that is gone: an intent with the change itself, then small commits until all is gone. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { isRootNamespace } from "../namespaces/namespace.ts";
import { namespacePrefix, scopeOf } from "../namespaces/namespace-storage.ts";
import type { Records } from "../storage/records.ts";
import { storagePrefix } from "./live-mounts.ts";
import type { MountEntry } from "./mount-entry.ts";

const intents = "core/wiping/";
const perCommit = 200;

/** In one place for all namespaces. */
interface Intent {
  readonly path: string;
  /** From the root of the store. */
  readonly prefix: string;
}

export function beginWipe(entry: MountEntry, storage: Storage): void {
  const { namespace, whole } = scopeOf(storage);
  const prefix = (isRootNamespace(namespace) ? "" : namespacePrefix(namespace)) + storagePrefix(entry);
  whole.put(intents + entry.uuid, recordBytes({ path: namespace.path + entry.path, prefix } satisfies Intent));
}

/** Takes up every wipe that was begun, by this process or by one that is gone; answers how many. */
export async function finishWipes(records: Records): Promise<number> {
  const uuids = await records.transaction((storage) => storage.list(intents));
  for (const uuid of uuids) {
    for (let more = true; more; ) {
      more = await records.transaction(async (storage) => {
        const intent = (await storage.read(intents + uuid, parseRecord)) as Intent | undefined;
        if (!intent) return false;
        const deleted = await deleteSome(intent.prefix, storage, perCommit);
        if (deleted < perCommit) storage.delete(intents + uuid);
        return deleted >= perCommit;
      });
    }
  }
  return uuids.length;
}

/** Answers how many records below `prefix` it deleted; fewer than `most` means that nothing is left. */
export async function deleteSome(prefix: string, storage: Storage, most: number): Promise<number> {
  let deleted = 0;
  for (const name of await storage.list(prefix, { limit: most })) {
    if (deleted >= most) break;
    if (name.endsWith("/")) deleted += await deleteSome(prefix + name, storage, most - deleted);
    else {
      storage.delete(prefix + name);
      deleted += 1;
    }
  }
  return deleted;
}
