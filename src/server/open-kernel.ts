/** Puts the core together with the engines, as the configuration says. */
import { setTimeout as pause } from "node:timers/promises";
import type { AnyEngine, EngineSource } from "../api/engine.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { createKernel, type Kernel } from "../core/kernel.ts";
import type { Metrics } from "../core/metrics/metrics.ts";
import type { RateCounter } from "../core/quotas/rate-limiter.ts";
import type { Companions } from "../core/seal/companions.ts";
import { staticSeal } from "../core/seal/static-key.ts";
import type { Store } from "../core/storage/store.ts";
import { noOthers, type OtherProcesses } from "../core/system/server-node.ts";
import { identity } from "../identity/engine.ts";
import type { LineLog } from "../lib/log.ts";
import { lockoutOf } from "./lockout.ts";
import { network } from "./network.ts";
import { nodeFacts } from "./node-facts.ts";
import { outbound } from "./outbound.ts";
import { isPublicAcmeDisabled } from "./public-acme.ts";
import { random } from "./random.ts";

/** The configuration as it was read last. */
export interface Current {
  config: ServerConfig;
}

export interface KernelSetup {
  readonly store: Store;
  readonly engines: readonly (AnyEngine | EngineSource)[];
  readonly metrics: Metrics;
  readonly current: Current;
  readonly log: LineLog;
  readonly version: string;
  readonly buildDate: string;
  /** Undefined for a process that is alone. */
  readonly node?: NodeLink | undefined;
}

/** What connects this process with the other workers of its node. */
export interface NodeLink {
  readonly companions: Companions;
  readonly newRateCounter: () => RateCounter;
  readonly others: OtherProcesses;
  /** How many processes share the memory that a configuration gives a node. */
  readonly workers: number;
}

export const clock = { now: () => Date.now() };

/** Ready to be started. */
export function openKernel({ store, engines, metrics, current, log, version, buildDate, node }: KernelSetup): Kernel {
  const { config } = current;
  const autoSeal = config.seal.type === "static" ? staticSeal(config.seal, random) : undefined;
  const offers = (key: "disable_unauthed_rekey_endpoints" | "disable_unauthed_generate_root_endpoints") =>
    config.listeners.some((listener) => !listener[key]);
  const kernel = createKernel({
    store,
    autoSeal,
    engines,
    identity,
    audit: auditOptions(current),
    clock,
    random,
    log: log.named("core"),
    outbound,
    network,
    isPublicAcmeDisabled: isPublicAcmeDisabled(process.env),
    metrics,
    companions: node?.companions,
    newRateCounter: node?.newRateCounter,
    node: nodeFacts(() => current.config, log, node?.others ?? noOthers),
    pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal, ref: false }),
    version,
    buildDate,
    clusterName: config.cluster_name,
    unauthenticatedRekey: offers("disable_unauthed_rekey_endpoints"),
    unauthenticatedGenerateRoot: offers("disable_unauthed_generate_root_endpoints"),
    lockoutOf: lockoutOf(config.user_lockout),
    defaultLeaseSeconds: config.default_lease_ttl,
    maxLeaseSeconds: config.max_lease_ttl,
    cacheBytes: cacheBytes(config, node?.workers ?? 1),
  });
  metrics.gauge("sealed", "1 while the server is sealed, else 0", () => (kernel.seal.barrier.isSealed ? 1 : 0));
  return kernel;
}

const leastCacheBytes = 32 * 1024 * 1024;

/** The workers of a node divide what is configured, but none gets so little that it reads everything twice. */
function cacheBytes({ disable_cache, cache_size }: ServerConfig, workers: number): number {
  const whole = disable_cache ? 0 : cache_size * 512;
  return Math.min(whole, Math.max(leastCacheBytes, whole / workers));
}

const auditOptions = (current: Current) => ({
  get declared() {
    return current.config.audit;
  },
  get allowApi() {
    return current.config.unsafe_allow_api_audit_creation;
  },
  get allowPrefix() {
    return current.config.allow_audit_log_prefixing;
  },
  folders: current.config.audit_folders,
});
