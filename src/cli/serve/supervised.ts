/** Several processes behind the same addresses, and this one to look after them. */
import { writeFile } from "node:fs/promises";
import { NotStarted, Supervisor } from "../../cluster/supervisor.ts";
import type { ServerConfig } from "../../config/server-config.ts";
import { openLog, type ServerLog } from "../../server/server-log.ts";
import { developmentBanner, serverBanner } from "../server-banner.ts";
import { readVersion } from "../version.ts";
import { mendable, type Setup, untilStopped } from "./setup.ts";

const rotateEveryMs = 1000;

/** Resolves to the exit code. */
export async function serveSupervised(setup: Setup, config: ServerConfig, workers: number): Promise<number> {
  const { terminal, development } = setup;
  const sharing = { rotates: true, onRotated: () => void supervisor.reopenLogs() };
  const log = await mendable(async () => openLog(config, (line) => terminal.complain(line.trimEnd()), sharing));
  const supervisor = new Supervisor({
    workers,
    log: log.log.named("supervisor"),
    environment: poolShare(terminal.environment["UV_THREADPOOL_SIZE"], workers),
  });
  try {
    const { addresses, prepared } = await supervisor.start();
    if (config.pid_file) await writeFile(config.pid_file, `${process.pid}\n`);
    const serving = { version: readVersion(), workers, addresses };
    terminal.write(serverBanner(config, serving));
    if (prepared) terminal.write(developmentBanner(serving, prepared, development?.keyFile));
  } catch (error) {
    if (error instanceof NotStarted) return error.exitCode;
    throw error;
  }
  process.on("SIGHUP", () => void reload(setup, log, supervisor));
  const rotation = setInterval(() => log.rotateIfDue(), rotateEveryMs);
  const code = await untilStopped(() => supervisor.stop(), log.log.named("server"));
  clearInterval(rotation);
  log.close();
  // After a second signal, workers may still be there; they end when this process does.
  process.exit(code);
}

/** Workers tell what they find in the configuration; here only the log is of interest. */
async function reload({ readConfig }: Setup, log: ServerLog, supervisor: Supervisor): Promise<void> {
  log.reopen();
  await readConfig().then(
    ({ config }) => log.log.configure(config.log_level),
    () => undefined,
  );
  await supervisor.reload();
  log.log.named("server").info("reloaded");
}

/** The threads that one process would use for long work, divided; commits need one that is free. */
function poolShare(size: string | undefined, workers: number): Record<string, string> {
  const threads = Number(size);
  if (!Number.isSafeInteger(threads) || threads < 1) return {};
  return { UV_THREADPOOL_SIZE: String(Math.max(2, Math.ceil(threads / workers) + 1)) };
}
