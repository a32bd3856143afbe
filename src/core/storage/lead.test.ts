import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Leads } from "./lead.ts";
import { MemoryStore } from "./memory.ts";
import { type Batch, Conflict, type Leadership, type Store, StoreUnavailable } from "./store.ts";
import { batch } from "./store-case.suite.ts";

const quick = { beat: 10, patience: 100, poll: 5 };
const never = new AbortController().signal;

/** What one process sees of a store: it may be stopped, or cut off. */
class Reach implements Pick<Store, "get" | "commit"> {
  readonly #store: Store;
  state: "well" | "away" | "hanging" = "well";

  constructor(store: Store) {
    this.#store = store;
  }

  async get(key: string) {
    await this.#pass();
    return this.#store.get(key);
  }

  async commit(change: Batch) {
    await this.#pass();
    await this.#store.commit(change);
  }

  async #pass() {
    if (this.state === "away") throw new StoreUnavailable("away");
    while (this.state === "hanging") await setTimeout(2);
  }
}

/** Two processes; the first one leads. */
async function twoProcesses() {
  const store = new MemoryStore();
  const reach = new Reach(store);
  const [first, second] = [new Leads(reach, "first", quick), new Leads(store, "second", quick)];
  const { promise: leads, resolve } = Promise.withResolvers<Leadership>();
  const holding = first.lead(
    "job",
    async (leadership) => {
      resolve(leadership);
      await aborted(leadership.signal);
    },
    never,
  );
  return { store, reach, first, second, holding, leadership: await leads };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

describe("a lead", () => {
  it.each(["away", "hanging"] as const)("goes to the next one when the store is %s for its holder", async (state) => {
    const { store, reach, second, holding, leadership } = await twoProcesses();
    const events: string[] = [];
    const watching = aborted(leadership.signal).then(() => events.push("the first one stops"));
    reach.state = state;
    const write = () =>
      store.commit(batch({ expect: { [leadership.fence.key]: leadership.fence.version }, puts: { x: "late" } }));
    await second.lead(
      "job",
      async ({ epoch }) => {
        events.push("the second one begins");
        expect(epoch).toBe(leadership.epoch + 1);
        await expect(write()).rejects.toThrow(Conflict);
      },
      never,
    );
    await watching;
    expect(events).toEqual(["the first one stops", "the second one begins"]);
    reach.state = "well";
    await holding;
    await second.close();
  });

  it("ends for a holder that slept, once it hears of its successor", async () => {
    const { store, holding, leadership } = await twoProcesses();
    // As if another process had waited long enough: all of these happen between two beats of the first one.
    const claim = Buffer.from(JSON.stringify({ epoch: 2, holder: "other" }));
    await store.commit({ expect: new Map(), puts: new Map([[leadership.fence.key, claim]]), deletes: new Set() });
    await aborted(leadership.signal);
    await holding;
    expect(Buffer.from((await store.get(leadership.fence.key))!.value).equals(claim)).toBe(true);
  });

  it("stays with a holder that shows life, however long the work takes", async () => {
    const { first, second, holding, leadership } = await twoProcesses();
    const stop = new AbortController();
    let hasBegun = false;
    const waiting = second.lead(
      "job",
      async () => {
        hasBegun = true;
      },
      stop.signal,
    );
    await setTimeout(quick.patience * 4);
    expect([hasBegun, leadership.signal.aborted]).toEqual([false, false]);
    stop.abort();
    await waiting;
    await first.close();
    await holding;
  });

  it("stays with a holder that shows life in the last moment", async () => {
    const { store, reach, first, holding } = await twoProcesses();
    reach.state = "hanging";
    let claims = 0;
    const late: Pick<Store, "get" | "commit"> = {
      get: (key) => store.get(key),
      async commit(change) {
        claims++;
        await store.commit({
          expect: new Map(),
          puts: new Map([["store/beat/first", Buffer.from("x")]]),
          deletes: new Set(),
        });
        await store.commit(change);
      },
    };
    const stop = new AbortController();
    let hasBegun = false;
    const work = async () => {
      hasBegun = true;
    };
    const waiting = new Leads(late, "second", quick).lead("job", work, stop.signal);
    while (claims < 2) await setTimeout(5);
    stop.abort();
    await waiting;
    expect(hasBegun).toBe(false);
    reach.state = "well";
    await first.close();
    await holding;
  });

  it("goes to the next one at once when its holder died and another of its leads was taken already", async () => {
    const store = new MemoryStore();
    const claim = Buffer.from(JSON.stringify({ epoch: 7, holder: "dead" }));
    await store.commit({ expect: new Map(), puts: new Map([["store/lead/job", claim]]), deletes: new Set() });
    const leads = new Leads(store, "me", { ...quick, patience: 1e9 });
    await leads.lead("job", async ({ epoch }) => expect(epoch).toBe(8), never);
    await leads.close();
  });

  it("is taken up again when nobody knows whether the first try worked", async () => {
    const store = new MemoryStore();
    let isFirst = true;
    const forgetful: Pick<Store, "get" | "commit"> = {
      get: (key) => store.get(key),
      async commit(change) {
        await store.commit(change);
        if (!isFirst) return;
        isFirst = false;
        throw new StoreUnavailable("the connection was lost", { isOutcomeUnknown: true });
      },
    };
    const leads = new Leads(forgetful, "me", { ...quick, patience: 1e9 });
    await leads.lead("job", async ({ epoch }) => expect(epoch).toBe(2), never);
    await leads.close();
    expect(await store.list("store/beat/")).toEqual([]);
  });

  it("is passed on when something else is wrong than the store", async () => {
    const broken: Pick<Store, "get" | "commit"> = {
      get: () => Promise.reject(new TypeError("a mistake of ours")),
      commit: () => Promise.reject(new TypeError("a mistake of ours")),
    };
    await expect(new Leads(broken, "me", quick).lead("job", async () => {}, never)).rejects.toThrow(TypeError);
  });
});
