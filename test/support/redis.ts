/** A real Redis server for tests, from Debian's package. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type LocalServer, serve } from "./mariadb.ts";

const program = "/usr/bin/redis-server";

/** Why there can be no server here, or undefined when there can be. */
export const noRedis: string | undefined = existsSync(program)
  ? undefined
  : "the package redis-server is not installed";

export async function startRedis(): Promise<LocalServer> {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-redis-"));
  const port = await freePort();
  const rootPassword = "root-password-of-the-test";
  const users = join(folder, "users.acl");
  await writeFile(users, `user default off\nuser manager on >${rootPassword} ~* &* +@all\n`);
  let server: ChildProcess | undefined;
  const start = async () => {
    const flags = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--aclfile", users, "--save", ""];
    server = await serve(program, flags, /Ready to accept connections/);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill(signal);
    await exit;
  };
  const killOnExit = () => server?.kill("SIGKILL");
  process.on("exit", killOnExit);
  await start();
  return {
    port,
    rootPassword,
    start,
    crash: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      process.off("exit", killOnExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
