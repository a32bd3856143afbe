/** Puts the commits of one process into as few LMDB transactions as possible, each built on the latest one. */
import { statfsSync } from "node:fs";
import { constants } from "node:os";
import type { Databases } from "./lmdb-databases.ts";
import { opening, untilOpened } from "./lmdb-opening.ts";
import { StoreUnavailable } from "./store.ts";

interface Waiting<Result> {
  /** Writes, or finds a reason not to and has then written nothing; must not wait for anything. */
  readonly apply: () => Result;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Writer<Result> {
  readonly #databases: Databases;
  readonly #path: string;
  #waiting: Waiting<Result>[] = [];
  #isScheduled = false;
  readonly #running = new Set<Promise<void>>();

  constructor(databases: Databases, path: string) {
    this.#databases = databases;
    this.#path = path;
  }

  /** Returns once what was written is durable. */
  write(apply: () => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ apply, resolve, reject });
    this.#schedule();
    return promise;
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** All that comes until the transaction has the lock of LMDB is in it; what comes later waits for the next one. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const running = this.#run().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #run(): Promise<void> {
    const { root, latest } = this.#databases;
    let batch: Waiting<Result>[] = [];
    const results: Result[] = [];
    let failure: unknown;
    try {
      await root.transaction(() => {
        this.#isScheduled = false;
        if (!latest.isBefore(root.getWriteTxnId())) return latest.restore();
        batch = this.#waiting;
        this.#waiting = [];
        try {
          for (const { apply } of batch) results.push(apply());
        } catch (error) {
          // LMDB's own, of which its transaction does not recover: nothing of it will be committed.
          failure = error;
        }
      });
      if (failure !== undefined) throw failure;
      const marks = opening(this.#path);
      if (marks.length > 0) await untilOpened(this.#path, marks, () => latest.restore());
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      // It did not even begin.
      if (this.#isScheduled) batch = this.#waiting.splice(0);
      this.#isScheduled = false;
      const reason = await this.#unavailable(error, failure);
      for (const { reject } of batch) reject(reason);
    }
    this.#schedule();
  }

  async #unavailable(error: unknown, failure: unknown): Promise<StoreUnavailable> {
    const { commitError } = error as { commitError?: Promise<unknown> };
    const told = commitError ? await commitError.catch((reason: unknown) => reason) : error;
    const cause = failure ?? told;
    const isFull = isDiskFull(this.#path, (cause as { code?: unknown }).code);
    const detail = isFull ? "the disk is full" : cause instanceof Error ? cause.message : String(cause);
    return new StoreUnavailable(`the change could not be written to ${this.#path}: ${detail}`, {
      cause,
      isOutcomeUnknown: !isFull,
    });
  }
}

/** LMDB tells a write that was cut short by a full disk as an input/output error. */
function isDiskFull(path: string, code: unknown): boolean {
  if (code === constants.errno.ENOSPC) return true;
  const { bavail, bsize } = statfsSync(path);
  return code === constants.errno.EIO && bavail * bsize < 1024 * 1024;
}
