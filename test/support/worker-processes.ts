/** The worker processes of a server, and calls that reach all of them. */
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { HttpAnswer, HttpCaller } from "./http-caller.ts";
import type { ServerProcess } from "./server-process.ts";

export function workersOf({ pid }: ServerProcess): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state!.startsWith("Z"))
    .map(([child]) => Number(child));
}

/** Enough for each of two or three workers to get some: the supervisor hands them out in turn. */
const connections = 8;

/** The same call on connections of their own, one after the other. */
export async function onManyConnections(
  server: ServerProcess,
  call: (caller: HttpCaller, index: number) => Promise<HttpAnswer>,
  count = connections,
): Promise<HttpAnswer[]> {
  const callers = Array.from({ length: count }, () => server.caller());
  const answers: HttpAnswer[] = [];
  for (const [index, caller] of callers.entries()) answers.push(await call(caller, index));
  for (const caller of callers) caller.close();
  return answers;
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

/** All of them serve, as the log says at the level debug. */
export function allServe({ output }: ServerProcess, count: number): boolean {
  return (output.match(/a worker process serves/g) ?? []).length >= count;
}
