/**
 * Lets a process that holds the last root key go on to the next one without being unsealed again: for a short time the
 * new key is stored under the old one. After that the old key opens nothing new, which is what changing it is for.
 */
import type { Clock, Random } from "../../api/engine.ts";
import { ApiError } from "../../api/errors.ts";
import type { Store } from "../storage/store.ts";
import { decryptBytes, encryptBytes, nonceLength } from "./aead.ts";
import { AlteredEntry } from "./barrier.ts";
import { wipe } from "./key-material.ts";
import type { RootKey } from "./keyring.ts";
import { storedAt } from "./stored-at.ts";

const headerLength = 9;
const format = 1;

/** Processes look at the store with every request, and idle ones now and then: this is ample. */
const lifetime = 10 * 60 * 1000;

/** The root key was changed, and the handoff from the one that this process has is gone: it must be unsealed again. */
export class RootKeyReplaced extends ApiError {
  constructor() {
    super(503, "Vault is sealed: the root key was changed while this process did not look, unseal it again");
  }
}

export const handoffFrom = (generation: number) => `${storedAt.handoffs}${generation}`;

export function encodeHandoff(from: RootKey, to: RootKey, clock: Clock, random: Random): Uint8Array {
  const header = Buffer.alloc(headerLength);
  header[0] = format;
  header.writeDoubleBE(clock.now() + lifetime, 1);
  const location = handoffFrom(from.generation);
  return encryptBytes({ key: from.key, header, location }, random.bytes(nonceLength), to.key);
}

/** The next root key; undefined when the way to it is gone. */
async function followHandoff(store: Store, from: RootKey): Promise<RootKey | undefined> {
  const location = handoffFrom(from.generation);
  const entry = await store.get(location);
  if (entry === undefined) return undefined;
  const header = entry.value.subarray(0, headerLength);
  const key = decryptBytes({ key: from.key, header, location }, entry.value);
  if (key === undefined) throw new AlteredEntry(location);
  return { generation: from.generation + 1, key };
}

/** Follows the handoffs to the root key of this generation, or throws `RootKeyReplaced`. Owns `from`. */
export async function advanceRootKey(store: Store, from: RootKey, generation: number): Promise<RootKey> {
  let rootKey = from;
  while (rootKey.generation !== generation) {
    const next = rootKey.generation < generation ? await followHandoff(store, rootKey) : undefined;
    wipe(rootKey.key);
    if (next === undefined) throw new RootKeyReplaced();
    rootKey = next;
  }
  return rootKey;
}

/** Deletes the handoffs whose time is over; for a periodic job. */
export async function removeOldHandoffs(store: Store, clock: Clock): Promise<void> {
  const deletes = new Set<string>();
  for (const name of await store.list(storedAt.handoffs)) {
    const entry = await store.get(storedAt.handoffs + name);
    if (entry !== undefined && expiry(entry.value) <= clock.now()) deletes.add(storedAt.handoffs + name);
  }
  if (deletes.size > 0) await store.commit({ expect: new Map(), puts: new Map(), deletes });
}

/** What is no handoff has no time left. */
function expiry(stored: Uint8Array): number {
  if (stored.length < headerLength || stored[0] !== format) return 0;
  return new DataView(stored.buffer, stored.byteOffset).getFloat64(1);
}
