/** Changes what can be changed while a server serves, and says what waits for the next start. */
import type { ServerConfig } from "../config/server-config.ts";
import { reconcileDevices } from "../core/audit/declared-devices.ts";
import type { Kernel } from "../core/kernel.ts";
import type { Listener } from "../http/server.ts";
import type { LineLog } from "../lib/log.ts";
import { described } from "./described.ts";
import { reloadListeners } from "./listeners.ts";
import type { Current } from "./open-kernel.ts";
import { random } from "./random.ts";
import type { RequestLog } from "./request-log.ts";
import { waitingForRestart } from "./restart-settings.ts";

export interface Reloaded {
  /** What the server was started with: settings that cannot change stay so. */
  readonly began: ServerConfig;
  readonly current: Current;
  readonly kernel: Kernel;
  readonly requests: RequestLog;
  readonly listeners: readonly Listener[];
  readonly log: LineLog;
  readonly tell: Telling;
}

/** What the operator hears of a reload: once for a node, however many of its processes reload. */
export interface Telling {
  info(message: string): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

export async function reloadServer(
  config: ServerConfig,
  { began, current, kernel, requests, listeners, log, tell }: Reloaded,
) {
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
    log.named("server").error("audit devices were not reloaded", described(error));
  }
  const waiting = waitingForRestart(began, config);
  if (waiting.length > 0) tell.warn("settings that changed wait for the next start", { settings: waiting });
  tell.info("reloaded");
}
