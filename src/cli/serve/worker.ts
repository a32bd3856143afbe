/** One of the processes that serve behind the same addresses: obeys its supervisor, and nobody else's signals. */
import { NoAnswer } from "../../cluster/channel.ts";
import { WorkerLink } from "../../cluster/worker-link.ts";
import { changeLogLevel } from "../../core/system/server-node.ts";
import type { Telling } from "../../server/reload.ts";
import { Reloader } from "../../server/reloader.ts";
import { mendable, type Setup } from "./setup.ts";
import { type Started, startHere } from "./start.ts";

/** Resolves to the exit code. */
export async function serveAsWorker(setup: Setup): Promise<number> {
  const ended = Promise.withResolvers<number>();
  let running: { readonly started: Started; readonly reloader: Reloader } | undefined;
  const link = new WorkerLink({
    reload: async (speaks) => {
      const own = running?.started.log.log.named("server");
      // What all find in the same files, one tells; that it is done, the supervisor tells when all have done it.
      const tell = speaks && own ? { ...silent, warn: own.warn.bind(own), error: own.error.bind(own) } : silent;
      await running?.reloader.reload(tell);
    },
    reopenLog: () => running?.started.log.reopen(),
    stop: () => {
      // A worker that has not begun to serve has nothing to finish.
      if (running) stopServing(running.started).then(ended.resolve, () => ended.resolve(1));
      else process.exit(0);
    },
  });
  running = await start(setup, link).catch((error: unknown) => {
    // The supervisor is gone, and whoever ended it knows.
    if (error instanceof NoAnswer) process.exit(1);
    // Else the pipe to the supervisor keeps a process alive that has nothing to do.
    process.channel?.unref();
    throw error;
  });
  const { server, prepared, log } = running.started;
  // The supervisor may have begun a new file while this process could not be told.
  log.reopen();
  await link.ready({ addresses: server.listeners.map(({ address }) => address), prepared });
  process.exit(await ended.promise);
}

/** Elsewhere the supervisor deals them out, which costs more for each connection. */
const systemDividesConnections = process.platform === "linux";

const silent: Telling = { info() {}, warn() {}, error() {} };

async function start(setup: Setup, link: WorkerLink) {
  const { config } = await mendable(setup.readConfig);
  const { workers, isFirst, ports, logLevels } = await link.role();
  const node = {
    workers,
    sharing: systemDividesConnections ? { isFirst, ports } : undefined,
    companions: link.companions,
    others: link.others,
    newRateCounter: link.newRateCounter,
    attach: link.attach.bind(link),
  };
  const started = await startHere(setup, config, { node, isFirst });
  for (const change of logLevels) changeLogLevel(started.log.log, change);
  return { started, reloader: new Reloader(started.server, started.log, config, setup.readConfig) };
}

async function stopServing({ server, log }: Started): Promise<number> {
  try {
    await server.close();
    return 0;
  } catch (error) {
    log.log.named("server").error("stopping failed", { error: String(error) });
    return 1;
  } finally {
    log.close();
  }
}
