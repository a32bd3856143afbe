/** One kind of work, measured in rounds that take turns with those of others, so that all see the same machine. */

import type { Commits } from "./bare-lmdb.ts";
import type { HelperProcess } from "./helper-process.ts";
import type { Load, Measured } from "./load.ts";
import { processorSeconds } from "./process-usage.ts";
import { median } from "./table.ts";

export interface Scenario {
  readonly name: string;
  /** Who is asked to measure. */
  readonly by: HelperProcess;
  readonly task: Omit<Load, "milliseconds"> | Omit<Commits, "milliseconds">;
  /** Whose processor time counts. */
  readonly pids: readonly number[];
  /** What its rates are compared with. */
  readonly against?: string;
}

export interface Result {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly busy: number;
  /**
   * Microseconds of processor time for each request, of all processes that serve it. The least of all rounds, since
   * whatever else the machine does can only add to it.
   */
  readonly cost: number;
}

interface Round extends Measured {
  readonly cost: number;
}

async function round({ by, task, pids }: Scenario, milliseconds: number): Promise<Round> {
  const before = processorSeconds(pids);
  const measured = await by.measure({ ...task, milliseconds });
  const after = processorSeconds(pids);
  const used = before === undefined || after === undefined ? Number.NaN : after - before;
  return { ...measured, cost: (used * 1e6) / measured.requests };
}

export interface Rounds {
  readonly count: number;
  readonly milliseconds: number;
  /** Before anything counts, so that what is hot has been compiled. */
  readonly warmUp: number;
}

/** Medians over all rounds, by the name of the scenario. */
export async function measureAll(scenarios: readonly Scenario[], rounds: Rounds): Promise<Map<string, Result>> {
  const found = new Map<string, Round[]>(scenarios.map(({ name }) => [name, []]));
  for (const scenario of scenarios) await round(scenario, rounds.warmUp);
  for (let turn = 0; turn < rounds.count; turn++) {
    for (const scenario of scenarios) found.get(scenario.name)!.push(await round(scenario, rounds.milliseconds));
  }
  const middle = (all: readonly Round[], key: keyof Result) => median(all.map((each) => each[key]));
  return new Map(
    [...found].map(([name, all]) => [
      name,
      {
        perSecond: middle(all, "perSecond"),
        p50: middle(all, "p50"),
        p99: middle(all, "p99"),
        busy: middle(all, "busy"),
        cost: Math.min(...all.map(({ cost }) => cost)),
      },
    ]),
  );
}
