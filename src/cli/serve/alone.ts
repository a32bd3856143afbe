/** One process that does everything. */
import { writeFile } from "node:fs/promises";
import type { ServerConfig } from "../../config/server-config.ts";
import { Reloader } from "../../server/reloader.ts";
import { developmentBanner, serverBanner } from "../server-banner.ts";
import { readVersion } from "../version.ts";
import { type Setup, untilStopped } from "./setup.ts";
import { startHere } from "./start.ts";

/** Resolves to the exit code. */
export async function serveAlone(setup: Setup, config: ServerConfig): Promise<number> {
  const { terminal, development } = setup;
  const { log, server, prepared } = await startHere(setup, config);
  if (config.pid_file) await writeFile(config.pid_file, `${process.pid}\n`);
  const addresses = server.listeners.map(({ address }) => address);
  const serving = { version: readVersion(), workers: 1, addresses };
  terminal.write(serverBanner(config, serving));
  if (prepared) terminal.write(developmentBanner(serving, prepared, development?.keyFile));
  const reloader = new Reloader(server, log, config, setup.readConfig);
  process.on("SIGHUP", () => void reloader.reload());
  const stop = async () => {
    await server.close();
    return 0;
  };
  const code = await untilStopped(stop, log.log.named("server"));
  log.close();
  return code;
}
