/** Stands for election again and again: works while it leads, and stands anew when the lead was lost or the store away. */
import type { Log } from "../../api/engine.ts";
import type { Leadership, Store } from "../storage/store.ts";

export interface CandidateParts {
  readonly store: Store;
  readonly log: Log;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const standAgainMs = 1000;

export class Candidate {
  readonly #name: string;
  readonly #parts: CandidateParts;
  readonly #work: (leadership: Leadership) => Promise<void>;
  #stop: AbortController | undefined;
  #running: Promise<void> | undefined;

  constructor(name: string, parts: CandidateParts, work: (leadership: Leadership) => Promise<void>) {
    this.#name = name;
    this.#parts = parts;
    this.#work = work;
  }

  start(): void {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#running = this.#stand(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = undefined;
    await this.#running;
  }

  async #stand(until: AbortSignal): Promise<void> {
    const { store, log, pause } = this.#parts;
    while (!until.aborted) {
      try {
        await store.lead(this.#name, this.#work, until);
      } catch (error) {
        if (!until.aborted) log.warn("the lead was lost", { of: this.#name, error: String(error) });
      }
      await pause(standAgainMs, until).catch(() => undefined);
    }
  }
}
