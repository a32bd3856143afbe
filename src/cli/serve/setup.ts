/** What every way to run a server begins with: its flags, its configuration, and words for what an operator can mend. */
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { developmentSource } from "../../config/development.ts";
import { loadServerConfig } from "../../config/load.ts";
import { ConfigError } from "../../config/report.ts";
import type { ConfigSource, LoadedConfig } from "../../config/server-config.ts";
import type { NamedLog } from "../../lib/log.ts";
import { developmentKey } from "../../server/development-key.ts";
import { CommandFailure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

export interface ServerFlags {
  readonly config: readonly string[];
  readonly dev: boolean;
  readonly "dev-root-token-id": string | undefined;
  readonly "dev-listen-address": string;
  readonly "dev-storage-path": string | undefined;
  readonly workers: string | undefined;
  readonly "log-level": string | undefined;
  readonly "log-format": string | undefined;
  readonly "log-file": string | undefined;
}

export interface Development {
  readonly source: ConfigSource;
  /** Of the operator's choice. */
  readonly rootToken: string | undefined;
  /** Both undefined where everything is in memory. */
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
}

export interface Setup {
  readonly terminal: Terminal;
  readonly development: Development | undefined;
  readonly readConfig: () => Promise<LoadedConfig>;
}

export const random = { bytes: (count: number) => randomBytes(count) };

export async function setUp(flags: ServerFlags, terminal: Terminal): Promise<Setup> {
  const development = flags.dev ? await developmentOf(flags) : undefined;
  const readConfig = () =>
    loadServerConfig(flags.config, {
      base: development ? [development.source] : [],
      environment: terminal.environment,
      flags: {
        workers: flags.workers,
        log_level: flags["log-level"],
        log_format: flags["log-format"],
        log_file: flags["log-file"],
      },
    });
  return { terminal, development, readConfig };
}

async function developmentOf(flags: ServerFlags): Promise<Development> {
  const address = flags["dev-listen-address"];
  const rootToken = flags["dev-root-token-id"];
  const path = flags["dev-storage-path"];
  if (path === undefined)
    return { source: developmentSource({ address }), rootToken, key: undefined, keyFile: undefined };
  const storagePath = resolve(path);
  const keyFile = `${storagePath}.key`;
  const key = await developmentKey(keyFile, random);
  return { source: developmentSource({ address, storagePath, keyFile }), rootToken, key, keyFile };
}

/** By their names, since whoever only supervises does not load what throws them. */
const operatorsErrors = new Set(["StoreUnavailable", "SealSettingsError", "Error"]);
const addressTroubles = new Set(["EADDRINUSE", "EACCES", "EADDRNOTAVAIL"]);

/** What the operator can mend is said in a sentence, without a stack. */
export async function mendable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandFailure(error.message, 1);
    const { name, message, code = "" } = error as NodeJS.ErrnoException;
    if (operatorsErrors.has(name) || addressTroubles.has(code)) {
      throw new CommandFailure(`the server did not start: ${message}`, 1);
    }
    throw error;
  }
}

/** Waits for a signal, then for `stop`, which resolves to the exit code. */
export function untilStopped(stop: () => Promise<number>, log: NamedLog): Promise<number> {
  const { promise, resolve: done } = Promise.withResolvers<number>();
  let since: number | undefined;
  const onSignal = () => {
    // A second signal means that somebody does not want to wait; but npm forwards the first one, so that it comes twice.
    if (since !== undefined) return Date.now() - since > 1000 ? done(1) : undefined;
    since = Date.now();
    log.info("stopping: finishing requests under way");
    stop().then(done, (error: unknown) => {
      log.error("stopping failed", { error: String(error) });
      done(1);
    });
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return promise;
}
