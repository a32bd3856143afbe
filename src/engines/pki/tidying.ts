/** A run of tidying that was started by hand in this process; one at a time. */
import type { Log } from "../../api/engine.ts";

export class Tidying {
  readonly #log: Log;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  begin(work: (signal: AbortSignal) => Promise<void>): void {
    this.#running = work(this.#stopping.signal)
      .catch((error: unknown) => this.#log.error("tidying certificates failed", { error: String(error) }))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}
