/** What the operating system knows of a process; only where there is /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Seconds that all threads of these processes have spent on a processor; undefined where nobody tells. */
export function processorSeconds(pids: readonly number[]): number | undefined {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const text = read(`/proc/${pid}/task/${thread}/schedstat`);
      if (text === undefined) return undefined;
      nanoseconds += Number(text.split(" ", 1)[0]);
    }
  }
  return nanoseconds === 0 ? undefined : nanoseconds / 1e9;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Memory that is in use, in megabytes. */
export function residentMegabytes(pid: number): number | undefined {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? "");
  return found ? Number(found[1]) / 1024 : undefined;
}

/** The part of it that is its own: no mapped file can be thrown out to shrink it. */
export function ownMegabytes(pid: number): number | undefined {
  const found = /^RssAnon:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? "");
  return found ? Number(found[1]) / 1024 : undefined;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
