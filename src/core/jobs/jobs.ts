/** Runs what engines declare as jobs, on whichever process leads: one run at a time, each a transaction of its own. */
import type { Clock, Job } from "../../api/engine.ts";
import type { LiveMount, LiveMounts } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { exchangeFor } from "../pipeline/exchange.ts";
import type { Records } from "../storage/records.ts";
import type { Leadership } from "../storage/store.ts";
import { Candidate, type CandidateParts } from "./candidate.ts";

export interface JobParts extends CandidateParts {
  readonly records: Records;
  readonly live: LiveMounts;
  readonly clock: Clock;
}

const lookEveryMs = 5000;

export class Jobs {
  readonly #parts: JobParts;
  /** When each job of each mount ran last, in this process: a new leader runs all of them soon. */
  readonly #lastRun = new Map<string, number>();
  readonly #candidate: Candidate;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#candidate = new Candidate("jobs", parts, (leadership) => this.#work(leadership));
  }

  start(): void {
    this.#candidate.start();
  }

  stop(): Promise<void> {
    return this.#candidate.stop();
  }

  /** Runs the jobs that are due; a failure is logged, and the job is tried again at its next time. */
  async runDue(signal: AbortSignal): Promise<void> {
    const { records, live, clock, log } = this.#parts;
    const { entries } = await records.transaction(readMountTable);
    for (const entry of entries) {
      const mount = await live.of(entry);
      for (const job of jobsOf(mount)) {
        const name = `${entry.uuid}/${job.name}`;
        const isDue = clock.now() - (this.#lastRun.get(name) ?? Number.NEGATIVE_INFINITY) >= job.everySeconds * 1000;
        if (!isDue || signal.aborted) continue;
        this.#lastRun.set(name, clock.now());
        await this.#run(mount, job, signal).catch((error: unknown) =>
          log.error("a job failed and will be tried again", { mount: entry.path, job: job.name, error: String(error) }),
        );
      }
    }
  }

  async #work({ signal }: Leadership): Promise<void> {
    const { log, pause } = this.#parts;
    while (!signal.aborted) {
      await this.runDue(signal).catch((error: unknown) => log.error("jobs failed", { error: String(error) }));
      await pause(lookEveryMs, signal).catch(() => undefined);
    }
  }

  #run(mount: LiveMount, job: Job<unknown>, signal: AbortSignal): Promise<void> {
    const now = new Date(this.#parts.clock.now());
    const source = { remoteAddress: "", header: () => undefined, clientCertificates: () => [] };
    const request = { id: "", operation: "write", path: mount.path, body: {}, token: undefined, now, source } as const;
    return this.#parts.records.transaction((storage) =>
      job.run(mount.services(storage, exchangeFor(request)), { now, signal }),
    );
  }
}

const jobsOf = ({ engine }: LiveMount): readonly Job<unknown>[] =>
  "coreServices" in engine ? [] : ((engine.jobs ?? []) as readonly Job<unknown>[]);
