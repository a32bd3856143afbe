/** Runs what engines declare as jobs, and the chores of the core, on whichever process leads: one run of each at a time. */
import type { Clock, Job, Storage } from "../../api/engine.ts";
import type { LiveMount, LiveMounts } from "../mounts/live-mounts.ts";
import type { MountEntry } from "../mounts/mount-entry.ts";
import { mountTableAtHand } from "../mounts/mount-table.ts";
import { entered } from "../namespaces/entered.ts";
import { type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import { namespacePages } from "../namespaces/namespace-list.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
import { exchangeFor } from "../pipeline/exchange.ts";
import type { Records } from "../storage/records.ts";
import type { Leadership } from "../storage/store.ts";
import { Candidate, type CandidateParts } from "./candidate.ts";

/** Work of the core itself, once for each namespace. */
export interface Chore {
  readonly name: string;
  readonly everySeconds: number;
  /** Each call of `within` is a transaction over the records of the namespace. */
  run(within: <T>(work: (storage: Storage) => Promise<T>) => Promise<T>, now: Date): Promise<void>;
}

export interface JobParts extends CandidateParts {
  readonly records: Records;
  readonly live: LiveMounts;
  readonly clock: Clock;
  readonly chores?: readonly Chore[] | undefined;
}

const lookEveryMs = 1000;

/** A namespace with those of its mounts that have jobs. */
interface Busy {
  readonly namespace: Namespace;
  readonly entries: readonly MountEntry[];
}

export class Jobs {
  readonly #parts: JobParts;
  /** When each job of each mount ran last, in this process: a new leader runs all of them soon. */
  readonly #lastRun = new Map<string, number>();
  readonly #underway = new Map<string, Promise<void>>();
  readonly #candidate: Candidate;
  #isLooking = false;

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

  /** Runs the jobs that are due, beside one another; a failure is logged, and the job is tried again at its next time. */
  async runDue(signal: AbortSignal): Promise<void> {
    // Where a look at all namespaces takes longer than the time between two, one is enough.
    if (this.#isLooking) return;
    this.#isLooking = true;
    const started = await this.#lookAtAll(signal).finally(() => {
      this.#isLooking = false;
    });
    await Promise.all(started);
  }

  async #lookAtAll(signal: AbortSignal): Promise<Promise<void>[]> {
    const { records } = this.#parts;
    const look = (namespace: Namespace, whole: Storage) => this.#withJobs(namespace, whole);
    const started: Promise<void>[] = [];
    const start = async (each: Busy) => {
      started.push(...(await this.#startDue(each, signal)));
    };
    await start(await records.transaction((whole) => look(rootNamespace, whole)));
    for await (const page of namespacePages((work) => records.transaction(work), look)) {
      for (const each of page) await start(each);
    }
    return started;
  }

  async #withJobs(namespace: Namespace, whole: Storage): Promise<Busy> {
    const { entries } = await mountTableAtHand(storageOf(namespace, whole));
    return { namespace, entries: entries.filter((entry) => this.#parts.live.hasJobs(entry)) };
  }

  async #startDue({ namespace, entries }: Busy, signal: AbortSignal): Promise<Promise<void>[]> {
    await this.#doChores(namespace, signal);
    const started: Promise<void>[] = [];
    for (const entry of entries) {
      const mount = await this.#opened(entry, namespace);
      for (const job of mount ? jobsOf(mount) : []) {
        const name = `${entry.uuid}/${job.name}`;
        if (this.#underway.has(name) || signal.aborted || !this.#takeTurn(name, job.everySeconds)) continue;
        started.push(this.#track(name, mount!, job, namespace, signal));
      }
    }
    return started;
  }

  /** One that cannot be opened must not hold up the others. */
  async #opened(entry: MountEntry, namespace: Namespace): Promise<LiveMount | undefined> {
    const { live, log } = this.#parts;
    try {
      return await live.of(entry, namespace);
    } catch (error) {
      log.error("a mount could not be opened for its jobs", {
        mount: namespace.path + entry.path,
        error: String(error),
      });
      return undefined;
    }
  }

  /** One after the other: they are short, and there may be many namespaces. */
  async #doChores(namespace: Namespace, signal: AbortSignal): Promise<void> {
    const { records, chores = [], clock, log } = this.#parts;
    const within = <T>(work: (storage: Storage) => Promise<T>): Promise<T> =>
      records.transaction(async (whole) => work(await entered(namespace, whole)));
    for (const { name, everySeconds, run } of chores) {
      if (signal.aborted || !this.#takeTurn(`${namespace.id}/${name}`, everySeconds)) continue;
      await run(within, new Date(clock.now())).catch((error: unknown) =>
        log.error("a chore failed and will be tried again", { namespace: namespace.path, name, error: String(error) }),
      );
    }
  }

  /** Whether it is time for this again; then it counts as done. */
  #takeTurn(name: string, everySeconds: number): boolean {
    const now = this.#parts.clock.now();
    if (now - (this.#lastRun.get(name) ?? Number.NEGATIVE_INFINITY) < everySeconds * 1000) return false;
    this.#lastRun.set(name, now);
    return true;
  }

  async #work({ signal }: Leadership): Promise<void> {
    const { log, pause } = this.#parts;
    while (!signal.aborted) {
      // Not awaited: a job that waits for the outside world holds up no other.
      void this.runDue(signal).catch((error: unknown) => log.error("jobs failed", { error: String(error) }));
      await pause(lookEveryMs, signal).catch(() => undefined);
    }
    await Promise.all(this.#underway.values());
  }

  #track(name: string, mount: LiveMount, job: Job<unknown>, namespace: Namespace, signal: AbortSignal): Promise<void> {
    const running = this.#run(mount, job, namespace, signal)
      .catch((error: unknown) =>
        this.#parts.log.error("a job failed and will be tried again", {
          mount: namespace.path + mount.path,
          job: job.name,
          error: String(error),
        }),
      )
      .finally(() => this.#underway.delete(name));
    this.#underway.set(name, running);
    return running;
  }

  #run(mount: LiveMount, job: Job<unknown>, namespace: Namespace, signal: AbortSignal): Promise<void> {
    const now = new Date(this.#parts.clock.now());
    const source = { remoteAddress: "", header: () => undefined, clientCertificates: () => [] };
    const request = { id: "", operation: "write", path: mount.path, body: {}, token: undefined, now, source } as const;
    const transaction = <T>(work: (services: unknown) => Promise<T>): Promise<T> =>
      this.#parts.records.transaction(async (whole) =>
        work(mount.services(await entered(namespace, whole), exchangeFor(request, namespace))),
      );
    if ("work" in job) return job.work({ now, signal, transaction });
    return transaction((services) => job.run(services, { now, signal }));
  }
}

const jobsOf = ({ engine }: LiveMount): readonly Job<unknown>[] =>
  "coreServices" in engine ? [] : ((engine.jobs ?? []) as readonly Job<unknown>[]);
