/**
 * Leads among the processes that share a store. Who holds one shows life by rewriting a record of its own (one for all
 * its leads); who waits takes over once it has looked often enough and that record stood still. No clocks are compared,
 * and time that the waiting one slept through counts for one look. A slow holder may be taken for dead all the same,
 * which does no harm: its fence does not hold any more.
 */
import { setTimeout } from "node:timers/promises";
import { beatKey, decodeLead, encodeLead, leadKey, signOfLife } from "./lead-record.ts";
import { Conflict, type Leadership, type Store, StoreUnavailable, type Version } from "./store.ts";

export interface LeadTimings {
  /** Milliseconds between two signs of life. */
  readonly beat: number;
  /** Milliseconds of silence after which a holder is taken for dead. */
  readonly patience: number;
  /** Milliseconds between two looks at a lead that somebody else holds. */
  readonly poll: number;
}

const usual: LeadTimings = { beat: 1000, patience: 5000, poll: 500 };

interface Held {
  readonly epoch: number;
  readonly fence: { readonly key: string; readonly version: Version };
  readonly lost: AbortController;
}

/** How often one who waits has found the same sign of life. */
interface Watch {
  version: Version | undefined;
  looks: number;
}

type Work = (leadership: Leadership) => Promise<void>;

export class Leads {
  readonly #store: Pick<Store, "get" | "commit">;
  readonly #member: string;
  readonly #timings: LeadTimings;
  readonly #held = new Set<Held>();
  readonly #taking = new Set<Promise<Held | undefined>>();
  /** Keys of claims whose outcome we do not know yet. */
  readonly #claiming = new Set<string>();
  readonly #closing = new AbortController();
  #heart: NodeJS.Timeout | undefined;
  #hasBeaten = false;
  #isBeating = false;
  /** Signs of life that were due since the store took the last one. */
  #missedBeats = 0;

  /** `member` must differ from that of every other process, also of those before it. */
  constructor(store: Pick<Store, "get" | "commit">, member: string, timings: Partial<LeadTimings> = {}) {
    this.#store = store;
    this.#member = member;
    this.#timings = { ...usual, ...timings };
  }

  async lead(name: string, work: Work, until: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([until, this.#closing.signal]);
    const watch: Watch = { version: undefined, looks: 0 };
    while (!stop.aborted) {
      const taking = this.#take(leadKey(name), watch);
      this.#taking.add(taking);
      const held = await taking.finally(() => this.#taking.delete(taking));
      if (held) return this.#hold(held, work, stop);
      await setTimeout(this.#timings.poll, undefined, { signal: stop }).catch(() => {});
    }
  }

  /** Gives back everything that is held, at once: the works are told, but not waited for. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#taking);
    await Promise.all([...this.#held].map((held) => this.#giveBack(held)));
    if (!this.#hasBeaten) return;
    const deletes = new Set([beatKey(this.#member)]);
    await this.#store.commit({ expect: new Map(), puts: new Map(), deletes }).catch(() => {});
  }

  async #hold(held: Held, work: Work, stop: AbortSignal): Promise<void> {
    try {
      if (stop.aborted) return;
      const signal = AbortSignal.any([stop, held.lost.signal]);
      await work({ epoch: held.epoch, fence: held.fence, signal });
    } finally {
      await this.#giveBack(held);
    }
  }

  async #take(key: string, watch: Watch): Promise<Held | undefined> {
    try {
      const entry = await this.#store.get(key);
      const { epoch, holder } = decodeLead(entry?.value);
      const expect = new Map([[key, entry?.version]]);
      const deletes = new Set<string>();
      if (holder !== undefined && !this.#isLeftOver(key, holder)) {
        const beat = await this.#store.get(beatKey(holder));
        if (this.#isAlive(watch, beat?.version)) return undefined;
        expect.set(beatKey(holder), beat?.version);
        deletes.add(beatKey(holder));
      }
      if (this.#claiming.has(key)) return undefined;
      this.#claiming.add(key);
      return await this.#claim(key, epoch + 1, expect, deletes).finally(() => this.#claiming.delete(key));
    } catch (error) {
      // Somebody was faster, or the store will be back: there is a next look in both cases.
      if (error instanceof Conflict || error instanceof StoreUnavailable) return undefined;
      throw error;
    }
  }

  /** Our own claim, of which we never learned that it had worked. */
  #isLeftOver(key: string, holder: string): boolean {
    if (holder !== this.#member || this.#claiming.has(key)) return false;
    return ![...this.#held].some((held) => held.fence.key === key);
  }

  #isAlive(watch: Watch, version: Version | undefined): boolean {
    watch.looks = version === watch.version ? watch.looks + 1 : 0;
    watch.version = version;
    return version !== undefined && watch.looks * this.#timings.poll < this.#timings.patience;
  }

  async #claim(
    key: string,
    epoch: number,
    expect: Map<string, Version | undefined>,
    deletes: Set<string>,
  ): Promise<Held | undefined> {
    const claim = encodeLead({ epoch, holder: this.#member });
    const puts = new Map([
      [key, claim],
      [beatKey(this.#member), signOfLife],
    ]);
    this.#hasBeaten = true;
    await this.#store.commit({ expect, puts, deletes });
    const entry = await this.#store.get(key);
    if (!entry || Buffer.compare(entry.value, claim) !== 0) return undefined;
    const held = { epoch, fence: { key, version: entry.version }, lost: new AbortController() };
    this.#held.add(held);
    this.#heart ??= setInterval(() => this.#pulse(), this.#timings.beat);
    return held;
  }

  async #giveBack(held: Held): Promise<void> {
    if (!this.#held.delete(held)) return;
    held.lost.abort();
    if (this.#held.size === 0) {
      clearInterval(this.#heart);
      this.#heart = undefined;
      this.#missedBeats = 0;
    }
    const { key, version } = held.fence;
    const puts = new Map([[key, encodeLead({ epoch: held.epoch, holder: undefined })]]);
    const giving = this.#store.commit({ expect: new Map([[key, version]]), puts, deletes: new Set() });
    // When it cannot be given back it is lost already, or will be by our silence.
    await giving.catch(() => {});
  }

  /** Stops leading before anybody else begins to, when the store has not heard from us for too long. */
  #pulse(): void {
    const { patience, beat } = this.#timings;
    if (++this.#missedBeats * beat >= patience - beat) for (const held of this.#held) this.#lose(held);
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#beat()
      .catch(() => {})
      .finally(() => {
        this.#isBeating = false;
      });
  }

  async #beat(): Promise<void> {
    const puts = new Map([[beatKey(this.#member), signOfLife]]);
    await this.#store.commit({ expect: new Map(), puts, deletes: new Set() });
    this.#missedBeats = 0;
    const checks = [...this.#held].map(async (held) => {
      const entry = await this.#store.get(held.fence.key);
      if (entry?.version !== held.fence.version) this.#lose(held);
    });
    await Promise.all(checks);
  }

  #lose(held: Held): void {
    held.lost.abort(new Error("the lead is lost"));
  }
}
