/** The core put together: what a request passes through, over one store and one seal. */
import type { AnyEngine, Clock, Log, Random, Storage } from "../api/engine.ts";
import { type CorsSettings, corsOff, corsRecord } from "./cors/cors-settings.ts";
import { LiveMounts } from "./mounts/live-mounts.ts";
import { MountAdministration } from "./mounts/mount-administration.ts";
import { Mounts } from "./mounts/mounts.ts";
import { Moves } from "./mounts/moves.ts";
import { finishWipes } from "./mounts/wipe.ts";
import { Access } from "./pipeline/access.ts";
import { dispatch } from "./pipeline/dispatch.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import { explainFailures } from "./pipeline/failure.ts";
import { explainPath } from "./pipeline/help.ts";
import { pipeline } from "./pipeline/pipeline.ts";
import { authorize } from "./pipeline/policy.ts";
import { route } from "./pipeline/route.ts";
import { requireUnsealed, sealGate } from "./pipeline/seal-gate.ts";
import { identify } from "./pipeline/token.ts";
import { inTransaction } from "./pipeline/transaction.ts";
import { Policies } from "./policies/policies.ts";
import type { Seal } from "./seal/seal.ts";
import { SealControl } from "./seal/seal-control.ts";
import { Records } from "./storage/records.ts";
import type { Store } from "./storage/store.ts";
import { type SystemOptions, systemMount } from "./system/system-mount.ts";
import { cubbyholeCleanup } from "./tokens/cubbyhole-cleanup.ts";
import { Revocation } from "./tokens/revocation.ts";
import { tokenEngine } from "./tokens/token-engine.ts";
import { rootToken, Tokens, tokenLength } from "./tokens/tokens.ts";

export interface KernelParts extends SystemOptions {
  readonly store: Store;
  readonly autoSeal?: Seal | undefined;
  readonly engines: readonly AnyEngine[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cacheBytes?: number | undefined;
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
}

export interface Kernel {
  readonly seal: SealControl;
  handle(exchange: Exchange): Promise<unknown>;
  /** Explains the path instead of answering at it. */
  help(exchange: Exchange): Promise<unknown>;
  cors(): Promise<CorsSettings>;
  /** Opens the seal if it can do so by itself, and takes up what was left undone. */
  start(): Promise<void>;
  readonly records: Records;
  readonly tokens: Tokens;
  readonly policies: Policies;
}

export function createKernel(parts: KernelParts): Kernel {
  const { store, autoSeal, clock, random, log } = parts;
  const tokens = new Tokens(random);
  const rootTokens = {
    tokenLength,
    create: () =>
      records.transaction(async (storage) => (await tokens.issue(rootToken, new Date(clock.now()), storage)).id),
  };
  const seal = new SealControl({ store, autoSeal, clock, random, rootTokens, onSealed: () => records.wipe() });
  const records = new Records(store, seal.barrier, () => seal.reload(), parts.cacheBytes);
  const revocation = new Revocation(records, tokens, [cubbyholeCleanup]);
  const afterUnseal = async () => {
    await finishWipes(records);
    const resumed = await revocation.resume();
    if (resumed > 0) log.info("finished revoking tokens that an earlier process had begun to revoke", { resumed });
  };
  const policies = new Policies();
  const access = new Access(policies);
  const policyExists = async (name: string, storage: Storage) =>
    (await policies.get(name, storage, new Date(clock.now()))) !== undefined;
  const lifetimes = { defaultSeconds: parts.defaultLeaseSeconds, maxSeconds: parts.maxLeaseSeconds };
  const engines = [...parts.engines, tokenEngine({ tokens, revocation, lifetimes, policyExists })];
  const live = new LiveMounts(engines, parts);
  const mounting = new MountAdministration(live, random);
  const moves = new Moves(random);
  const mounts = new Mounts(
    live,
    systemMount({ ...parts, seal, tokens, records, mounting, moves, live, policies, access, lifetimes, afterUnseal }),
  );
  const known = [inTransaction(records), route(mounts), identify({ tokens, records, revocation })];
  const handle = pipeline([
    explainFailures,
    sealGate(mounts, () => seal.barrier.isSealed),
    ...known,
    authorize(access),
    dispatch(records),
  ]);
  const help = pipeline([explainFailures, requireUnsealed(seal), ...known, explainPath(parts.version)]);
  const cors = async () =>
    seal.barrier.isSealed ? corsOff : ((await records.transaction((storage) => corsRecord(storage).get())) ?? corsOff);
  const start = async () => {
    if (await seal.openAutomatically()) await afterUnseal();
  };
  return { seal, handle, help, cors, start, records, tokens, policies };
}
