/** Leads among the callers in one process: first come, first served. */
import { decodeLead, encodeLead, leadKey } from "./lead-record.ts";
import type { Leadership, Store } from "./store.ts";

type Work = (leadership: Leadership) => Promise<void>;

export class LeadQueue {
  readonly #store: Pick<Store, "get" | "commit">;
  /** The end of the last one in the line of each name. */
  readonly #last = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(store: Pick<Store, "get" | "commit">) {
    this.#store = store;
  }

  async lead(name: string, work: Work, until: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([until, this.#closing.signal]);
    const before = this.#last.get(name) ?? Promise.resolve();
    const { promise: end, resolve: leave } = Promise.withResolvers<void>();
    const last = before.then(() => end);
    this.#last.set(name, last);
    last.then(() => this.#forget(name, last));
    try {
      await untilAborted(before, signal);
      if (!signal.aborted) await this.#hold(name, work, signal);
    } finally {
      leave();
    }
  }

  #forget(name: string, last: Promise<void>): void {
    if (this.#last.get(name) === last) this.#last.delete(name);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #hold(name: string, work: Work, signal: AbortSignal): Promise<void> {
    const key = leadKey(name);
    const { epoch } = decodeLead((await this.#store.get(key))?.value);
    await this.#write(key, epoch + 1, "this process");
    const fence = { key, version: (await this.#store.get(key))!.version };
    try {
      await work({ epoch: epoch + 1, fence, signal });
    } finally {
      // So that what the work has left running cannot write any more.
      if (!this.#closing.signal.aborted) await this.#write(key, epoch + 1, undefined);
    }
  }

  async #write(key: string, epoch: number, holder: string | undefined): Promise<void> {
    const puts = new Map([[key, encodeLead({ epoch, holder })]]);
    await this.#store.commit({ expect: new Map(), puts, deletes: new Set() });
  }
}

async function untilAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop);
  await Promise.race([turn, promise]);
  signal.removeEventListener("abort", stop);
}
