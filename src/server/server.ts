/** The composition root: configuration → store → core → engines → HTTP. Start reading here. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerConfig } from "../config/server-config.ts";
import { reconcileDevices } from "../core/audit/declared-devices.ts";
import { createKernel, type Kernel } from "../core/kernel.ts";
import { staticSeal } from "../core/seal/static-key.ts";
import type { Store } from "../core/storage/store.ts";
import { engines } from "../engine-list.ts";
import type { Listener } from "../http/server.ts";
import { identity } from "../identity/engine.ts";
import type { LineLog } from "../lib/log.ts";
import { described } from "./described.ts";
import { openListeners, reloadListeners } from "./listeners.ts";
import { openStore } from "./open-store.ts";
import { RequestLog } from "./request-log.ts";
import { waitingForRestart } from "./restart-settings.ts";

export interface ServerParts {
  readonly config: ServerConfig;
  readonly log: LineLog;
  readonly version: string;
  readonly buildDate: string;
  /** For development: called when the core is there and before anybody is listened to. */
  readonly prepare?: (kernel: Kernel) => Promise<void>;
}

export interface RunningServer {
  readonly kernel: Kernel;
  readonly listeners: readonly Listener[];
  /** Takes what can be changed while serving, and reads certificates again; what is bad is logged, and the old stays. */
  reload(config: ServerConfig): Promise<void>;
  close(): Promise<void>;
}

/** The configuration as it was read last. */
interface Current {
  config: ServerConfig;
}

const clock = { now: () => Date.now() };
const random = { bytes: (count: number) => randomBytes(count) };
const maintainEveryMs = 60_000;

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, log } = parts;
  const store = await openStore(config.storage);
  try {
    const current: Current = { config };
    const kernel = await openKernel(store, parts, current);
    const requests = new RequestLog(log.named("request"), config.log_requests_level);
    const listeners = await openListeners({
      kernel,
      config,
      log: log.named("http"),
      now: () => clock.now(),
      answered: (request, status, milliseconds) => requests.answered(request, status, milliseconds),
    });
    const stopMaintenance = maintain(kernel, log);
    const close = async () => {
      stopMaintenance();
      await Promise.all(listeners.map((listener) => listener.close()));
      await kernel.stop();
      await store.close();
    };
    const reload = (next: ServerConfig) =>
      reloadServer(next, { began: config, current, kernel, requests, listeners, log });
    return { kernel, listeners, reload, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openKernel(store: Store, parts: ServerParts, current: Current): Promise<Kernel> {
  const { config, log, version, buildDate, prepare } = parts;
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
    pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal, ref: false }),
    version,
    buildDate,
    clusterName: config.cluster_name ?? "strongroom",
    unauthenticatedRekey: offers("disable_unauthed_rekey_endpoints"),
    unauthenticatedGenerateRoot: offers("disable_unauthed_generate_root_endpoints"),
    defaultLeaseSeconds: config.default_lease_ttl,
    maxLeaseSeconds: config.max_lease_ttl,
    cacheBytes: config.disable_cache ? 0 : config.cache_size * 512,
  });
  await kernel.start();
  await prepare?.(kernel);
  return kernel;
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

interface Reloaded {
  /** What the server was started with: settings that cannot change stay so. */
  readonly began: ServerConfig;
  readonly current: Current;
  readonly kernel: Kernel;
  readonly requests: RequestLog;
  readonly listeners: readonly Listener[];
  readonly log: LineLog;
}

async function reloadServer(config: ServerConfig, { began, current, kernel, requests, listeners, log }: Reloaded) {
  const serverLog = log.named("server");
  log.configure(config.log_level);
  requests.level = config.log_requests_level;
  await reloadListeners(listeners, config, log.named("http"));
  current.config = config;
  try {
    await kernel.auditDevices.reopen();
    if (!kernel.seal.barrier.isSealed) {
      await kernel.records.transaction((storage) => reconcileDevices(config.audit, random, storage));
    }
  } catch (error) {
    serverLog.error("audit devices were not reloaded", described(error));
  }
  const waiting = waitingForRestart(began, config);
  if (waiting.length > 0) serverLog.warn("settings that changed wait for the next start", { settings: waiting });
  serverLog.info("reloaded");
}

function maintain(kernel: Kernel, log: LineLog): () => void {
  const maintenance = setInterval(() => {
    kernel.seal
      .maintain()
      .catch((error: unknown) => log.named("core").error("maintenance of the keys failed", described(error)));
  }, maintainEveryMs);
  maintenance.unref();
  return () => clearInterval(maintenance);
}
