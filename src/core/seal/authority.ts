/**
 * Whose key shares authorize an operation: holders of the unseal key, or, where the seal opens by itself, holders of
 * the recovery key, which is good for nothing else: it is stored as a digest and decrypts nothing.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import type { Foundation } from "./foundation.ts";
import { wipe } from "./key-material.ts";
import { wasWrappedBy } from "./root-key-record.ts";
import type { Quorum } from "./seal-config.ts";
import { ShamirSeal } from "./shamir-seal.ts";
import type { ShareCollector } from "./share-collector.ts";
import { storedAt } from "./stored-at.ts";

/** A key of 32 random bytes needs no salt and no slow function. */
export const keyDigest = (key: Uint8Array): Buffer => hash("sha256", key, "buffer");

/**
 * As it is now, whichever process changed it, and out of the encrypted keyring, not the readable record. Zeros when
 * nobody can authorize anything: a seal that opens by itself, and no recovery key.
 */
export async function authorityQuorum({ keyrings, barrier, autoSeal }: Foundation): Promise<Quorum> {
  await keyrings.reload();
  const { unseal, recovery } = barrier.keyring.sealConfig;
  return autoSeal === undefined ? unseal : recovery;
}

/** Whether this is the key whose shares authorize; always asked of the store, since another process may change it. */
async function isAuthorityKey(foundation: Foundation, key: Uint8Array): Promise<boolean> {
  return foundation.autoSeal === undefined ? isUnsealKey(foundation, key) : isRecoveryKey(foundation, key);
}

async function isUnsealKey({ store, random }: Foundation, key: Uint8Array): Promise<boolean> {
  const entry = await store.get(storedAt.rootKey);
  return entry !== undefined && wasWrappedBy(new ShamirSeal(key, random), entry.value);
}

async function isRecoveryKey({ keyrings }: Foundation, key: Uint8Array): Promise<boolean> {
  const entry = await keyrings.readEntry(storedAt.recoveryKey);
  return entry !== undefined && timingSafeEqual(keyDigest(key), entry.value);
}

/** Combines a full set of shares, and refuses (having forgotten them) when they are not the right ones. */
export async function requireAuthority(
  foundation: Foundation,
  collector: ShareCollector,
  what: string,
): Promise<Buffer> {
  const key = collector.combine();
  if (key !== undefined && (await isAuthorityKey(foundation, key))) return key;
  if (key !== undefined) wipe(key);
  collector.clear();
  throw invalidRequest(
    `${what} refused: the key shares are not the right ones, or do not belong together; progress was reset`,
  );
}
