/** Starts a server in this process, alone or as one of several workers. */
import type { ServerConfig } from "../../config/server-config.ts";
import { developmentToken, type Prepared, prepareDevelopment } from "../../server/development.ts";
import { type RunningServer, startServer, type WorkerNode } from "../../server/server.ts";
import { openLog, type ServerLog } from "../../server/server-log.ts";
import { readVersion } from "../version.ts";
import { mendable, random, type Setup } from "./setup.ts";

export interface Started {
  readonly log: ServerLog;
  readonly server: RunningServer;
  /** For development, if it was this process that made the store ready. */
  readonly prepared: Prepared | undefined;
}

export interface WorkerOptions {
  readonly node: WorkerNode;
  readonly isFirst: boolean;
}

export function startHere(setup: Setup, config: ServerConfig, worker?: WorkerOptions): Promise<Started> {
  const { terminal, development } = setup;
  return mendable(async () => {
    const log = openLog(config, (line) => terminal.complain(line.trimEnd()), { rotates: worker === undefined });
    let prepared: Prepared | undefined;
    const prepares = development !== undefined && (worker === undefined || worker.isFirst);
    const server = await startServer({
      config,
      log: log.log,
      version: readVersion(),
      buildDate: "",
      node: worker?.node,
      ...(prepares && {
        prepare: async (kernel) => {
          const { rootToken, key } = development;
          const token = rootToken ?? (key === undefined ? undefined : developmentToken(key));
          prepared = await prepareDevelopment(kernel, random, token);
        },
      }),
    });
    return { log, server, prepared };
  });
}
