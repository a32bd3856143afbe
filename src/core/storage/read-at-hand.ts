/** Reads a record without a promise where it is cached; for what the core asks with every request. */
import type { Storage } from "../../api/engine.ts";
import type { AtHand } from "../../lib/at-hand.ts";

/** A storage that can tell at once what it has cached. */
export interface QuickStorage extends Storage {
  readNow<T>(key: string, parse: (bytes: Uint8Array) => T): AtHand<T | undefined>;
}

export const readAtHand = <T>(storage: Storage, key: string, parse: (bytes: Uint8Array) => T): AtHand<T | undefined> =>
  "readNow" in storage ? (storage as QuickStorage).readNow(key, parse) : storage.read(key, parse);
