/** The stored root key: which seal wrapped it, with which key, which generation it is, and the wrapped bytes. */
import { AlteredEntry } from "./barrier.ts";
import { decodeRecord, encodeRecord } from "./json-record.ts";
import { wipe } from "./key-material.ts";
import type { RootKey } from "./keyring.ts";
import { type Seal, SealRefused } from "./seal.ts";
import { storedAt } from "./stored-at.ts";

interface Stored {
  readonly seal: string;
  readonly generation: number;
  readonly key_id: string;
  readonly wrapped: string;
}

export async function wrapRootKey(seal: Seal, { generation, key }: RootKey): Promise<Uint8Array> {
  const { key_id, bytes } = await seal.wrap(key, purpose(seal, generation));
  const stored: Stored = { seal: seal.type, generation, key_id, wrapped: Buffer.from(bytes).toString("base64") };
  return encodeRecord(stored);
}

export async function unwrapRootKey(
  seal: Seal,
  bytes: Uint8Array,
): Promise<{ readonly rootKey: RootKey; readonly isOutdated: boolean }> {
  const { generation, key_id, ...stored } = decodeRecord<Stored>(storedAt.rootKey, bytes);
  if (stored.seal !== seal.type) {
    const [found, configured] = [JSON.stringify(stored.seal), JSON.stringify(seal.type)];
    throw new SealRefused(`this store is sealed with the seal ${found}, and the configuration has ${configured}`);
  }
  const wrapped = { key_id, bytes: Buffer.from(stored.wrapped, "base64") };
  // Decoding forgives, and what is stored must be exactly what was written.
  if (wrapped.bytes.toString("base64") !== stored.wrapped) throw new AlteredEntry(storedAt.rootKey);
  const { rootKey, isOutdated } = await seal.unwrap(wrapped, purpose(seal, generation));
  return { rootKey: { generation, key: rootKey }, isOutdated };
}

/** Whether `seal` wrapped these bytes: how a combined unseal key is recognized as the right one. */
export async function wasWrappedBy(seal: Seal, bytes: Uint8Array): Promise<boolean> {
  try {
    const { rootKey } = await unwrapRootKey(seal, bytes);
    wipe(rootKey.key);
    return true;
  } catch (error) {
    if (error instanceof SealRefused) return false;
    throw error;
  }
}

const purpose = (seal: Seal, generation: number) => JSON.stringify([storedAt.rootKey, seal.type, generation]);
