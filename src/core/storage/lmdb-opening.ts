/**
 * Lets writers know that a process is opening the folder. For some microseconds, that process may hide commits from all
 * readers (see `lmdb-latest.ts`), so no commit that may be hidden is acknowledged before it is through.
 */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const prefix = "opening-";

/** Milliseconds after which a process that is still opening is taken for dead. */
const patience = 1000;

/** Returns the function that says that it is over. */
export function announceOpening(path: string): () => void {
  const mark = join(path, prefix + randomUUID());
  closeSync(openSync(mark, "wx", 0o600));
  return () => rmSync(mark, { force: true });
}

export function opening(path: string): string[] {
  return readdirSync(path).filter((name) => name.startsWith(prefix));
}

/** Waits for those; whoever begins later has seen what was committed before. */
export async function untilOpened(path: string, marks: readonly string[], onDeath: () => void): Promise<void> {
  for (let waited = 0; waited < patience; waited += 2) {
    await setTimeout(2);
    const left = opening(path);
    if (!marks.some((mark) => left.includes(mark))) return;
  }
  onDeath();
  for (const mark of marks) rmSync(join(path, mark), { force: true });
}
