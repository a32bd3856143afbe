/** Waits for work to be done, but not for long. */
import { setTimeout } from "node:timers/promises";

/** The work goes on after the time is over. It must not fail. */
export async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const over = setTimeout(milliseconds, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
  await Promise.race([work, over]);
  timer.abort();
}
