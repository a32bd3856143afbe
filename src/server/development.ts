/** A server for development is ready at once: initialized, unsealed, with a root token and a place for secrets. */
import { createHmac } from "node:crypto";
import type { Kernel } from "../core/kernel.ts";
import { firstRecords } from "../core/system/first-records.ts";
import { rootToken, tokenLength } from "../core/tokens/tokens.ts";

export interface Prepared {
  readonly rootToken: string;
  /** Undefined where a key file unseals. */
  readonly unsealKey: string | undefined;
}

interface RandomSource {
  bytes(count: number): Uint8Array;
}

/** The same token at every start, from the key that lies beside the data anyway. */
export function developmentToken(key: string): string {
  const digest = createHmac("sha256", key).update("development root token").digest("base64url");
  return `s.${digest
    .replace(/[-_]/g, "")
    .padEnd(tokenLength, "0")
    .slice(0, tokenLength - 2)}`;
}

export async function prepareDevelopment(kernel: Kernel, random: RandomSource, rootId?: string): Promise<Prepared> {
  const now = new Date();
  let prepared: Prepared = { rootToken: rootId ?? "", unsealKey: undefined };
  if (!(await kernel.seal.isInitialized())) prepared = await initialize(kernel, random, now, rootId);
  else if (rootId !== undefined) await ensureRootToken(kernel, rootId, now);
  await ensureSecrets(kernel);
  return prepared;
}

async function initialize(kernel: Kernel, random: RandomSource, now: Date, rootId?: string): Promise<Prepared> {
  const { recovery_seal } = await kernel.seal.status();
  const shares = recovery_seal ? {} : { secret_shares: 1, secret_threshold: 1 };
  const first = await firstRecords({ tokens: kernel.tokens, policies: kernel.policies, random }, now, rootId);
  const { keys } = await kernel.seal.initialize(shares, () => first.entries);
  const [key] = keys;
  if (key !== undefined) await kernel.seal.unseal({ key });
  await kernel.start();
  return { rootToken: first.rootToken, unsealKey: key && Buffer.from(key, "hex").toString("base64") };
}

async function ensureRootToken(kernel: Kernel, id: string, now: Date): Promise<void> {
  await kernel.records.transaction(async (storage) => {
    if (!(await kernel.tokens.find(id, storage))) await kernel.tokens.issue(rootToken, now, storage, id);
  });
}

/** Versioned secrets at `secret/`, as people who know the peers expect. */
async function ensureSecrets({ records, mounting }: Kernel): Promise<void> {
  await records.transaction(async (storage) => {
    if (await mounting.find("secret/", storage)) return;
    const config = { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false };
    const plain = { local: false, seal_wrap: false, external_entropy_access: false, config };
    await mounting.enable(
      { ...plain, path: "secret/", type: "kv-v2", description: "key/value secret storage" },
      storage,
    );
  });
}
