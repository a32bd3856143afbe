/** The composition root: configuration → store → core → engines → HTTP. Start reading here. */
import type { ServerConfig } from "../config/server-config.ts";
import type { Kernel } from "../core/kernel.ts";
import { MeasuredStore } from "../core/metrics/measured-store.ts";
import { Metrics } from "../core/metrics/metrics.ts";
import type { Listener } from "../http/server.ts";
import type { LineLog } from "../lib/log.ts";
import { enginesFor } from "./database-plugins.ts";
import { described } from "./described.ts";
import { type AddressSharing, openListeners } from "./listeners.ts";
import { clock, type NodeLink, openKernel } from "./open-kernel.ts";
import { openStore } from "./open-store.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { reloadServer, type Telling } from "./reload.ts";
import { RequestLog } from "./request-log.ts";

export interface ServerParts {
  readonly config: ServerConfig;
  readonly log: LineLog;
  readonly version: string;
  readonly buildDate: string;
  /** For a worker, which shares its node with others. */
  readonly node?: WorkerNode | undefined;
  /** For development: called when the core is there and before anybody is listened to. */
  readonly prepare?: (kernel: Kernel) => Promise<void>;
}

export interface WorkerNode extends NodeLink {
  /** Undefined where the supervisor has the sockets and deals connections out. */
  readonly sharing: AddressSharing | undefined;
  /** Called when the core is there and before it is unsealed. */
  attach(parts: { readonly kernel: Kernel; readonly metrics: Metrics; readonly log: LineLog }): void;
}

export interface RunningServer {
  readonly kernel: Kernel;
  readonly listeners: readonly Listener[];
  /** Takes what can be changed while serving, and reads certificates again; what is bad is logged, and the old stays. */
  reload(config: ServerConfig, tell: Telling): Promise<void>;
  close(): Promise<void>;
}

const maintainEveryMs = 60_000;

export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { config, log, version, buildDate, node } = parts;
  const { metrics_prefix: prefix, prometheus_retention_time } = config.telemetry;
  const metrics = new Metrics({
    prefix,
    prometheus: prometheus_retention_time > 0,
    stopwatch: () => performance.now(),
  });
  addProcessMetrics(metrics, version);
  const current = { config };
  const store = new MeasuredStore(await openStore(config.storage, node?.workers ?? 1), metrics);
  let opened: Kernel | undefined;
  const stop = async () => {
    await opened?.stop();
    await store.close();
  };
  try {
    const engines = await enginesFor(config);
    const kernel = openKernel({ store, engines, metrics, current, log, version, buildDate, node });
    opened = kernel;
    node?.attach({ kernel, metrics, log });
    await kernel.start();
    await parts.prepare?.(kernel);
    const requests = new RequestLog(log.named("request"), config.log_requests_level);
    const listeners = await listenTo(kernel, requests, metrics, parts);
    const stopMaintenance = maintain(kernel, log);
    return {
      kernel,
      listeners,
      reload: (next, tell) => reloadServer(next, { began: config, current, kernel, requests, listeners, log, tell }),
      async close() {
        stopMaintenance();
        await Promise.all(listeners.map((listener) => listener.close()));
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listenTo(kernel: Kernel, requests: RequestLog, metrics: Metrics, { config, log, node }: ServerParts) {
  const responses = metrics.counter("http_responses_total", "Answers that were sent, by status", ["code"]);
  return openListeners({
    kernel,
    config,
    log: log.named("http"),
    now: () => clock.now(),
    sharing: node?.sharing,
    answered: (request, status, milliseconds) => {
      responses.with(String(status)).add();
      requests.answered(request, status, milliseconds);
    },
  });
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
