/** Makes a new store a sealed one: keys, shares and whatever else the first commit needs, all at once or not at all. */
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { type Batch, Conflict, type Store } from "../storage/store.ts";
import { keyDigest } from "./authority.ts";
import { Barrier } from "./barrier.ts";
import { type Foundation, sealType } from "./foundation.ts";
import { newKey, wipe } from "./key-material.ts";
import { shareTexts } from "./key-share.ts";
import { Keyring, type RootKey } from "./keyring.ts";
import { encodeKeyring } from "./keyring-record.ts";
import { wrapRootKey } from "./root-key-record.ts";
import { checkQuorum, encodeSealConfig, noQuorum, type Quorum, refusePgp, type SealConfig } from "./seal-config.ts";
import { splitSecret } from "./shamir.ts";
import { ShamirSeal } from "./shamir-seal.ts";
import { storedAt } from "./stored-at.ts";

export interface InitializeRequest {
  readonly secret_shares?: number | undefined;
  readonly secret_threshold?: number | undefined;
  readonly pgp_keys?: readonly string[] | undefined;
  readonly recovery_shares?: number | undefined;
  readonly recovery_threshold?: number | undefined;
  readonly recovery_pgp_keys?: readonly string[] | undefined;
  readonly root_token_pgp_key?: string | undefined;
}

export interface InitializeResult {
  readonly keys: readonly string[];
  readonly keys_base64: readonly string[];
  readonly recovery_keys?: readonly string[];
  readonly recovery_keys_base64?: readonly string[];
}

/** Further entries for the first commit, readable: they are encrypted here, through the new barrier. */
export type FirstEntries = () => ReadonlyMap<string, Uint8Array> | Promise<ReadonlyMap<string, Uint8Array>>;

const ours = [storedAt.config, storedAt.rootKey, storedAt.keyring];

const alreadyInitialized = () => invalidRequest("Vault is already initialized");

export async function isInitialized(store: Store): Promise<boolean> {
  return (await store.get(storedAt.config)) !== undefined;
}

/** Leaves the server sealed. */
export async function initialize(
  foundation: Foundation,
  request: InitializeRequest,
  firstEntries: FirstEntries = () => new Map(),
): Promise<InitializeResult> {
  const { store } = foundation;
  const config = requestedConfig(foundation, request);
  if (await isInitialized(store)) throw alreadyInitialized();
  const keys = await newKeys(foundation, config);
  try {
    const batch = await firstBatch(foundation, config, keys, await firstEntries());
    await commitFirst(store, batch);
    return result(keys);
  } finally {
    keys.barrier.close();
    wipe(keys.unsealKey, keys.recoveryKey, ...keys.unsealShares, ...keys.recoveryShares);
  }
}

function requestedConfig(foundation: Foundation, request: InitializeRequest): SealConfig {
  const { pgp_keys, recovery_pgp_keys, root_token_pgp_key } = request;
  refuseInapplicable(foundation, request);
  refusePgp({ pgp_keys, recovery_pgp_keys, root_token_pgp_key });
  const type = sealType(foundation);
  if (foundation.autoSeal === undefined) {
    const unseal = { shares: request.secret_shares ?? 0, threshold: request.secret_threshold ?? 0 };
    checkQuorum("seal", unseal);
    return { type, unseal, recovery: noQuorum };
  }
  const recovery = { shares: request.recovery_shares ?? 0, threshold: request.recovery_threshold ?? 0 };
  // None at all is allowed: they can be made later, by whoever has the root token.
  if (recovery.shares !== 0 || recovery.threshold !== 0) checkQuorum("recovery", recovery);
  return { type, unseal: noQuorum, recovery };
}

function refuseInapplicable(foundation: Foundation, request: InitializeRequest): void {
  const { secret_shares, secret_threshold, pgp_keys, recovery_shares, recovery_threshold, recovery_pgp_keys } = request;
  const foreign =
    foundation.autoSeal === undefined
      ? { recovery_shares, recovery_threshold, recovery_pgp_keys }
      : { secret_shares, secret_threshold, pgp_keys };
  const given = Object.entries(foreign).filter(([, value]) => (typeof value === "object" ? value.length > 0 : value));
  if (given.length === 0) return;
  const names = given.map(([name]) => name).join(",");
  throw invalidRequest(`parameters ${names} not applicable to seal type ${sealType(foundation)}`);
}

interface NewKeys {
  /** Open with the new keyring, and never used again after the first commit. */
  readonly barrier: Barrier;
  readonly rootKey: RootKey;
  readonly unsealKey: Buffer;
  readonly unsealShares: readonly Buffer[];
  readonly recoveryKey: Buffer;
  readonly recoveryShares: readonly Buffer[];
}

async function newKeys({ random, clock }: Foundation, config: SealConfig): Promise<NewKeys> {
  const barrier = new Barrier(random);
  const rootKey = { generation: 1, key: newKey(random) };
  barrier.open(Keyring.create(rootKey, config, newKey(random), clock.now()));
  const [unsealKey, recoveryKey] = [newKey(random), newKey(random)];
  const split = (key: Buffer, { shares, threshold }: Quorum) =>
    shares === 0 ? [] : splitSecret(key, shares, threshold, random);
  const [unsealShares, recoveryShares] = [split(unsealKey, config.unseal), split(recoveryKey, config.recovery)];
  return { barrier, rootKey, unsealKey, unsealShares, recoveryKey, recoveryShares };
}

async function firstBatch(
  { autoSeal, random }: Foundation,
  config: SealConfig,
  { barrier, rootKey, unsealKey, recoveryKey }: NewKeys,
  entries: ReadonlyMap<string, Uint8Array>,
): Promise<Batch> {
  const inside = new Map(entries);
  if (autoSeal === undefined) inside.set(storedAt.unsealKey, unsealKey);
  if (config.recovery.shares > 0) inside.set(storedAt.recoveryKey, keyDigest(recoveryKey));
  const puts = new Map<string, Uint8Array>();
  for (const [key, value] of inside) puts.set(key, barrier.encrypt(key, value));
  barrier.keyring.active.saved = puts.size;
  puts.set(storedAt.config, encodeSealConfig(config));
  puts.set(storedAt.rootKey, await wrapRootKey(autoSeal ?? new ShamirSeal(unsealKey, random), rootKey));
  puts.set(storedAt.keyring, encodeKeyring(barrier.keyring, random));
  const expect = new Map(ours.map((key) => [key, undefined]));
  return { expect, puts, deletes: new Set() };
}

/** A commit may succeed and its answer get lost: then the shares must still be handed out, for nobody else has them. */
async function commitFirst(store: Store, batch: Batch): Promise<void> {
  try {
    await store.commit(batch);
  } catch (error) {
    if (error instanceof Conflict) throw alreadyInitialized();
    const stored = await store.get(storedAt.rootKey).catch(() => {
      throw outcomeUnknown(error);
    });
    if (stored === undefined || Buffer.compare(stored.value, batch.puts.get(storedAt.rootKey)!) !== 0) throw error;
  }
}

const outcomeUnknown = (cause: unknown) =>
  new ApiError(
    503,
    "the store failed, and it is not known whether it was initialized: " +
      "if it was, nobody has its keys, and it must be emptied before another try",
    { cause },
  );

function result({ unsealShares, recoveryShares }: NewKeys): InitializeResult {
  const [unseal, recovery] = [shareTexts(unsealShares), shareTexts(recoveryShares)];
  return {
    keys: unseal.hex,
    keys_base64: unseal.base64,
    ...(recoveryShares.length > 0 && { recovery_keys: recovery.hex, recovery_keys_base64: recovery.base64 }),
  };
}
