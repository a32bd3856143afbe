/** What servers of others have in common when tests run them. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** Asks again and again, for two minutes at most, or until the server has ended. */
export async function untilReady(server: ChildProcess, isReady: () => Promise<boolean>): Promise<void> {
  process.once("exit", () => end(server));
  for (let tries = 0; tries < 240; tries++) {
    if (server.exitCode !== null) throw new Error(`the server ended with status ${server.exitCode}`);
    if (await isReady().catch(() => false)) return;
    await setTimeout(500);
  }
  end(server);
  throw new Error("the server did not become ready within two minutes");
}

/** With all that it started, where it has a group of its own. */
export function end(server: ChildProcess): void {
  try {
    process.kill(-server.pid!, "SIGKILL");
  } catch {
    server.kill("SIGKILL");
  }
}
