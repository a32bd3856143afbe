/** Reads what strace wrote: which calls a process and its threads made, in the order in which they began and ended. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

export interface SystemCall {
  readonly name: string;
  /** As strace writes it: `22</some/file>` or `26<TCP:[…]>`. */
  readonly handle: string;
  /** All arguments, cut short. */
  readonly text: string;
  readonly result: string;
  /** Places in the trace: one call came before another if its end is less than the other's beginning. */
  readonly began: number;
  readonly ended: number;
}

/** Why nothing can be traced here, or undefined. */
export function noTracing(): string | undefined {
  const { status, error } = spawnSync("strace", ["-o", "/dev/null", "true"]);
  if (error) return "strace is not installed";
  return status === 0 ? undefined : "strace may not trace here";
}

/**
 * A command line to put before another one. The tracer runs beside the process and not above it, so that signals and
 * exit codes are those of the process.
 */
export const tracedInto = (file: string, calls: readonly string[]): string[] => [
  ...["strace", "--daemonize", "--follow-forks", "--decode-fds=all", "--string-limit=80"],
  ...["--trace", calls.join(","), "--output", file],
];

/** Of a process that has ended; the tracer may be a little behind. */
export async function readTrace(file: string, pid: number): Promise<SystemCall[]> {
  for (;;) {
    const trace = readFileSync(file, "latin1");
    if (new RegExp(`^${pid} +\\+\\+\\+ `, "m").test(trace)) return callsIn(trace);
    await setTimeout(20);
  }
}

function callsIn(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { readonly text: string; readonly began: number }>();
  for (const [line, text] of trace.split("\n").entries()) {
    const [thread, rest] = split(text, /^(\d+) +(.*)$/);
    if (thread === undefined || rest === undefined) continue;
    const [beginning] = split(rest, /^(.*) <unfinished \.\.\.>$/);
    if (beginning !== undefined) {
      open.set(thread, { text: beginning, began: line });
      continue;
    }
    const [end] = split(rest, /^<\.\.\. \w+ resumed>(.*)$/);
    const pending = end === undefined ? undefined : open.get(thread);
    const call = parsed((pending?.text ?? "") + (end ?? rest), pending?.began ?? line, line);
    if (call) calls.push(call);
  }
  return calls.sort((a, b) => a.began - b.began);
}

function parsed(text: string, began: number, ended: number): SystemCall | undefined {
  const [name, args, result] = split(text, /^(\w+)\((.*)\) += (.*)$/);
  if (name === undefined || args === undefined || result === undefined) return undefined;
  return { name, handle: args.split(", ", 1)[0]!, text: args, result, began, ended };
}

const split = (text: string, pattern: RegExp): (string | undefined)[] => pattern.exec(text)?.slice(1) ?? [];
