/** How long a server takes from its start until it answers, and what it weighs when nobody asks it anything. */
import { setTimeout } from "node:timers/promises";
import { ServerProcess } from "../test/support/server-process.ts";
import { allServe, until, workersOf } from "../test/support/worker-processes.ts";
import type { Prepared } from "./prepared-server.ts";
import { ownMegabytes, processorSeconds, residentMegabytes } from "./process-usage.ts";
import { decimals, median, printTable, whole } from "./table.ts";

export async function printStarts(
  { options, token }: Prepared,
  workers: number,
  starts: number,
  restMs: number,
): Promise<void> {
  const ready: number[] = [];
  const used: number[] = [];
  const memory: number[] = [];
  const own: number[] = [];
  const supervisor: number[] = [];
  for (let start = 0; start < starts; start++) {
    const began = performance.now();
    const server = await ServerProcess.start({ ...options, workers, flags: ["-log-level=debug"] });
    const caller = server.caller(token);
    await caller.demand("GET", "auth/token/lookup-self");
    ready.push(performance.now() - began);
    used.push((processorSeconds([server.pid, ...workersOf(server)]) ?? Number.NaN) * 1000);
    caller.close();
    if (workers > 1) await until(() => allServe(server, workers));
    await setTimeout(restMs);
    const pids = [server.pid, ...workersOf(server)];
    memory.push(sumOf(pids, residentMegabytes));
    own.push(sumOf(pids, ownMegabytes));
    supervisor.push(residentMegabytes(server.pid) ?? Number.NaN);
    await server.stop();
  }
  printTable(
    `Start of ${workers === 1 ? "one process" : `${workers} workers`}, until a token is looked up, and memory at rest (medians)`,
    ["what", "value", "aim"],
    [
      ["start to ready, ms", whole(median(ready)), "< 1,000"],
      ["processor time of it, ms", whole(median(used)), ""],
      [
        `memory at rest, MB${workers === 1 ? "" : ", of all processes"}`,
        decimals(median(memory), 0),
        workers === 1 ? "< 120" : "",
      ],
      ...(workers === 1 ? [] : [["of it the supervisor, MB", decimals(median(supervisor), 0), ""]]),
      ["of it not backed by files, MB", decimals(median(own), 0), ""],
    ],
  );
}

const sumOf = (pids: readonly number[], measure: (pid: number) => number | undefined): number =>
  pids.reduce((sum, pid) => sum + (measure(pid) ?? Number.NaN), 0);
