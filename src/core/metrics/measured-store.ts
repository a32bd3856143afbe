/** A store that counts what is asked of it. What is cached never gets here, so reads are misses of the cache. */
import {
  type Batch,
  type Changes,
  Conflict,
  type Entry,
  type Leadership,
  type Page,
  type Point,
  type Store,
} from "../storage/store.ts";
import type { Counter, Histogram, Metrics } from "./metrics.ts";

export class MeasuredStore implements Store {
  readonly type: string;
  readonly maxKeyBytes: number;
  readonly #store: Store;
  readonly #reads: Counter;
  readonly #lists: Counter;
  readonly #conflicts: Counter;
  readonly #failures: Counter;
  readonly #commits: Histogram;
  readonly #stopwatch: () => number;

  constructor(store: Store, metrics: Metrics) {
    this.#store = store;
    this.type = store.type;
    this.maxKeyBytes = store.maxKeyBytes;
    this.#stopwatch = metrics.stopwatch;
    this.#reads = metrics
      .counter("store_reads_total", "Records read from the store, because they were not cached")
      .with();
    this.#lists = metrics.counter("store_lists_total", "Pages of names read from the store").with();
    this.#conflicts = metrics.counter("store_conflicts_total", "Commits that another writer was faster than").with();
    this.#failures = metrics.counter("store_failures_total", "Commits that failed for another reason").with();
    this.#commits = metrics.histogram("store_commit_duration_seconds", "Time until a commit was durable").with();
  }

  get(key: string): Promise<Entry | undefined> {
    this.#reads.add();
    return this.#store.get(key);
  }

  list(prefix: string, page?: Page): Promise<string[]> {
    this.#lists.add();
    return this.#store.list(prefix, page);
  }

  async commit(batch: Batch): Promise<void> {
    const started = this.#stopwatch();
    try {
      await this.#store.commit(batch);
    } catch (error) {
      (error instanceof Conflict ? this.#conflicts : this.#failures).add();
      throw error;
    }
    this.#commits.observe((this.#stopwatch() - started) / 1000);
  }

  changes(since: Point | undefined): Promise<Changes> {
    return this.#store.changes(since);
  }

  lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal): Promise<void> {
    return this.#store.lead(name, work, until);
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
