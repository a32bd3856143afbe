/** How long a server takes from its start until it answers, and what it weighs when nobody asks it anything. */
import { setTimeout } from "node:timers/promises";
import { ServerProcess } from "../test/support/server-process.ts";
import type { Prepared } from "./prepared-server.ts";
import { ownMegabytes, processorSeconds, residentMegabytes } from "./process-usage.ts";
import { decimals, median, printTable, whole } from "./table.ts";

export async function printStarts({ options, token }: Prepared, starts: number, restMs: number): Promise<void> {
  const ready: number[] = [];
  const used: number[] = [];
  const memory: number[] = [];
  const own: number[] = [];
  for (let start = 0; start < starts; start++) {
    const began = performance.now();
    const server = await ServerProcess.start(options);
    const caller = server.caller(token);
    await caller.demand("GET", "auth/token/lookup-self");
    ready.push(performance.now() - began);
    used.push((processorSeconds([server.pid]) ?? Number.NaN) * 1000);
    caller.close();
    await setTimeout(restMs);
    memory.push(residentMegabytes(server.pid) ?? Number.NaN);
    own.push(ownMegabytes(server.pid) ?? Number.NaN);
    await server.stop();
  }
  printTable(
    "Start, until a token is looked up, and memory at rest (medians)",
    ["what", "value", "aim"],
    [
      ["start to ready, ms", whole(median(ready)), "< 1,000"],
      ["processor time of it, ms", whole(median(used)), ""],
      ["memory at rest, MB", decimals(median(memory), 0), "< 120"],
      ["of it not backed by files, MB", decimals(median(own), 0), ""],
    ],
  );
}
