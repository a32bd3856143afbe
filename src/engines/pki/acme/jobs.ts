/** What runs beside requests: tries of challenges that are due, and the end of marks that count no more. */
import type { Job, Tick } from "../../../api/engine.ts";
import type { Acme, WithAcme } from "./acme.ts";
import { attempt, takeUp } from "./attempt.ts";

const validationsAtOnce = 50;
const marksAtOnce = 1000;

const tryChallenges: Job<WithAcme> = {
  name: "acme-validations",
  everySeconds: 1,
  async work({ now, signal, transaction }) {
    const due = await transaction(({ acme }) => acme.validations.due(now, validationsAtOnce));
    for (const name of due) {
      if (signal.aborted) return;
      const taken = await transaction(async ({ acme }) => {
        const task = await takeUp(name, acme, now);
        return task && { task, host: acme.host };
      });
      // Not awaited: a server that does not answer holds up no other. Whoever dies meanwhile leaves the entry in the queue.
      if (taken) void attempt(taken.task, taken.host, transaction);
    }
  },
};

const forgetMarks: Job<WithAcme> = {
  name: "acme-marks",
  everySeconds: 60,
  async work(tick) {
    await untilFew(tick, (acme) => acme.nonces.forgetOld(tick.now, marksAtOnce));
    await untilFew(tick, (acme) => acme.recent.forgetOld(tick.now, marksAtOnce));
  },
};

/** In steps that are small enough for one transaction each. */
async function untilFew({ signal, transaction }: Tick<WithAcme>, step: (acme: Acme) => Promise<number>): Promise<void> {
  let removed: number;
  do removed = await transaction(({ acme }) => step(acme));
  while (removed > 0 && !signal.aborted);
}

export const acmeJobs = [tryChallenges, forgetMarks];
