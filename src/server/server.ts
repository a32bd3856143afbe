/** The composition root: configuration → store → core → engines → HTTP. Start reading here. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerConfig } from "../config/server-config.ts";
import { createKernel, type Kernel } from "../core/kernel.ts";
import { staticSeal } from "../core/seal/static-key.ts";
import type { Store } from "../core/storage/store.ts";
import { engines } from "../engine-list.ts";
import { httpHandler } from "../http/handler.ts";
import { type Listener, listen } from "../http/server.ts";
import { identity } from "../identity/engine.ts";
import type { LineLog } from "../lib/log.ts";
import { jsonLimits, listenerOptions } from "./listener.ts";
import { openStore } from "./open-store.ts";

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
  /** Reads certificates again; a bad one is logged, and the old one stays. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

const clock = { now: () => Date.now() };
const random = { bytes: (count: number) => randomBytes(count) };
const maintainEveryMs = 60_000;

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, log } = parts;
  const store = await openStore(config.storage);
  try {
    const kernel = await openKernel(store, parts);
    const listeners = await openListeners(kernel, parts);
    return running(store, kernel, listeners, log);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openKernel(store: Store, { config, log, version, buildDate, prepare }: ServerParts): Promise<Kernel> {
  const autoSeal = config.seal.type === "static" ? staticSeal(config.seal, random) : undefined;
  const offers = (key: "disable_unauthed_rekey_endpoints" | "disable_unauthed_generate_root_endpoints") =>
    config.listeners.some((listener) => !listener[key]);
  const kernel = createKernel({
    store,
    autoSeal,
    engines,
    identity,
    audit: {
      declared: config.audit,
      allowApi: config.unsafe_allow_api_audit_creation,
      allowPrefix: config.allow_audit_log_prefixing,
      folders: config.audit_folders,
    },
    clock,
    random,
    log,
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

async function openListeners(kernel: Kernel, { config, log }: ServerParts): Promise<Listener[]> {
  const listeners: Listener[] = [];
  try {
    for (const listener of config.listeners) {
      const handle = httpHandler({
        kernel,
        now: () => clock.now(),
        limits: jsonLimits(listener),
        onUnexpected: (error, requestId) => log.error("a request failed inside", { requestId, ...described(error) }),
      });
      const listenerLog = {
        warn: (message: string) => log.warn(message),
        error: (message: string, error: unknown) => log.error(message, described(error)),
      };
      listeners.push(await listen(listenerOptions(listener), handle, listenerLog));
    }
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close(0)));
    throw error;
  }
}

/** The stack goes to the operator's log, never to a caller; error messages of ours hold no secrets. */
const described = (error: unknown) =>
  error instanceof Error
    ? { error: error.message, stack: error.stack, cause: String(error.cause ?? "") }
    : { error: String(error) };

function running(store: Store, kernel: Kernel, listeners: readonly Listener[], log: LineLog): RunningServer {
  const maintenance = setInterval(() => {
    kernel.seal.maintain().catch((error: unknown) => log.error("maintenance of the keys failed", described(error)));
  }, maintainEveryMs);
  maintenance.unref();
  return {
    kernel,
    listeners,
    async reload() {
      for (const listener of listeners) {
        await listener
          .reload()
          .catch((error: unknown) => log.error("certificates were not reloaded", described(error)));
      }
    },
    async close() {
      clearInterval(maintenance);
      await Promise.all(listeners.map((listener) => listener.close()));
      await kernel.stop();
      await store.close();
    },
  };
}
