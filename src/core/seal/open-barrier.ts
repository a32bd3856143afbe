/** Opens the barrier with a seal that has its key: root key from the seal, keyring from the root key. */
import { isDeepStrictEqual } from "node:util";
import { Conflict, type Store, type Version } from "../storage/store.ts";
import { AlteredEntry } from "./barrier.ts";
import type { Foundation } from "./foundation.ts";
import { advanceRootKey, RootKeyReplaced } from "./handoff.ts";
import { wipe } from "./key-material.ts";
import type { RootKey } from "./keyring.ts";
import { decodeKeyring, generationOf } from "./keyring-record.ts";
import { unwrapRootKey, wrapRootKey } from "./root-key-record.ts";
import type { Seal } from "./seal.ts";
import { requireSealConfig } from "./seal-config.ts";
import { storedAt } from "./stored-at.ts";

const mostTries = 5;

/** Throws `SealRefused` when the seal has the wrong key. */
export async function openBarrier(foundation: Foundation, seal: Seal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const altered = await tryToOpen(foundation, seal);
    if (altered === undefined) return;
    // Perhaps the keys were changed between two readings; if so, the next ones agree.
    if (tries === mostTries) throw altered;
  }
}

/** With a root key that another process of this node was opened with; owns it. False if it is too old to open anything. */
export async function openWithRootKey({ store, barrier }: Foundation, rootKey: RootKey): Promise<boolean> {
  const stored = await store.get(storedAt.keyring);
  if (stored === undefined) throw new Error("the keyring is no longer in the store");
  try {
    const current = await advanceRootKey(store, rootKey, generationOf(stored.value));
    barrier.open(decodeKeyring(stored.value, current));
    return true;
  } catch (error) {
    if (error instanceof RootKeyReplaced) return false;
    throw error;
  }
}

async function tryToOpen({ store, barrier }: Foundation, seal: Seal): Promise<AlteredEntry | undefined> {
  const wrapped = await store.get(storedAt.rootKey);
  const keyring = await store.get(storedAt.keyring);
  const { config } = await requireSealConfig(store);
  if (wrapped === undefined || keyring === undefined) {
    throw new Error("the store has a seal configuration, but no root key or keyring: a part of it was lost");
  }
  const { rootKey, isOutdated } = await unwrapRootKey(seal, wrapped.value);
  if (rootKey.generation !== generationOf(keyring.value)) {
    wipe(rootKey.key);
    return new AlteredEntry(storedAt.keyring, "it does not belong to the stored root key");
  }
  const opened = decodeKeyring(keyring.value, rootKey);
  try {
    if (!isDeepStrictEqual(config, opened.sealConfig)) {
      opened.wipe();
      return new AlteredEntry(storedAt.config, "it is not what the keyring says");
    }
    if (isOutdated) await rewrap(store, seal, rootKey, wrapped.version);
  } catch (error) {
    opened.wipe();
    throw error;
  }
  barrier.open(opened);
  return undefined;
}

async function rewrap(store: Store, seal: Seal, rootKey: RootKey, version: Version): Promise<void> {
  try {
    await store.commit({
      expect: new Map([[storedAt.rootKey, version]]),
      puts: new Map([[storedAt.rootKey, await wrapRootKey(seal, rootKey)]]),
      deletes: new Set(),
    });
  } catch (error) {
    // Another process that was started with the new key has done the same.
    if (!(error instanceof Conflict)) throw error;
  }
}
