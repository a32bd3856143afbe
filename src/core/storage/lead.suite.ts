/** What every store must hold of leads. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Conflict, type Leadership, type Store } from "./store.ts";
import { batch, type StoreCase, type StoreData } from "./store-case.suite.ts";

const quick = { beat: 20, patience: 400, poll: 10 };
const never = new AbortController().signal;

export function testLeads(storeCase: StoreCase): void {
  describe("leads", () => {
    let data: StoreData;
    let one: Store;
    /** Another process's, where the store can be shared. */
    let other: Store;
    beforeAll(async () => {
      if (storeCase.missing !== undefined) return;
      data = await storeCase.prepare();
      one = await data.open({ lead: quick });
      other = data.isShared ? await data.open({ lead: quick }) : one;
    });
    afterAll(async () => {
      await one?.close();
      await other?.close();
      await data?.destroy();
    });

    it("lets one work at a time, each in a later epoch", async () => {
      let working = 0;
      const epochs: number[] = [];
      const work = async ({ epoch }: Leadership) => {
        expect(++working).toBe(1);
        epochs.push(epoch);
        await setTimeout(5);
        working--;
      };
      await Promise.all([one, other, one, other, one].map((store) => store.lead("turns", work, never)));
      expect(epochs).toHaveLength(5);
      expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b));
    });

    it("lets leads of other names go on at the same time", async () => {
      const { promise: bothWork, resolve } = Promise.withResolvers<void>();
      let working = 0;
      const work = async () => {
        if (++working === 2) resolve();
        await bothWork;
      };
      await Promise.all([one.lead("left", work, never), other.lead("right", work, never)]);
    });

    it("gives a fence that holds while the lead does, and no longer", async () => {
      let fence: Leadership["fence"] | undefined;
      const write = (value: string) =>
        other.commit(batch({ expect: { [fence!.key]: fence!.version }, puts: { "lead/fenced": value } }));
      await one.lead(
        "fenced",
        async (leadership) => {
          fence = leadership.fence;
          await write("1");
          // Several signs of life later.
          await setTimeout(100);
          await write("2");
        },
        never,
      );
      await expect(write("3")).rejects.toThrow(Conflict);
      await other.lead("fenced", async ({ fence: next }) => expect(next.version).not.toBe(fence!.version), never);
      await expect(write("4")).rejects.toThrow(Conflict);
      expect(Buffer.from((await one.get("lead/fenced"))!.value).toString()).toBe("2");
    });

    it("stops waiting when it is told to", async () => {
      const stop = new AbortController();
      const runs: string[] = [];
      const run = (name: string) => async () => {
        runs.push(name);
      };
      await one.lead(
        "waiting",
        async () => {
          const waiting = other.lead("waiting", run("told while it waits"), stop.signal);
          await setTimeout(30);
          stop.abort();
          await waiting;
        },
        never,
      );
      await other.lead("waiting", run("told before"), AbortSignal.abort());
      await other.lead("waiting", run("never told"), never);
      expect(runs).toEqual(["never told"]);
    });

    it("waits for the work to end when it is told to stop, and then hands over", async () => {
      const stop = new AbortController();
      const events: string[] = [];
      const first = one.lead(
        "stopped",
        async ({ signal }) => {
          events.push("begins");
          stop.abort();
          expect(signal.aborted).toBe(true);
          await setTimeout(50);
          events.push("ends");
        },
        stop.signal,
      );
      await setTimeout(10);
      const second = other.lead("stopped", async () => void events.push("next"), never);
      await Promise.all([first, second]);
      expect(events).toEqual(["begins", "ends", "next"]);
    });

    it("passes on the error of the work, and hands over", async () => {
      const failing = async () => {
        throw new Error("the work failed");
      };
      await expect(one.lead("failing", failing, never)).rejects.toThrow("the work failed");
      await other.lead("failing", async ({ epoch }) => expect(epoch).toBe(2), never);
    });

    it("hands over when the holder closes its store", async () => {
      if (!data.isShared) return;
      const closing = await data.open({ lead: quick });
      const { promise: works, resolve } = Promise.withResolvers<Leadership>();
      const holding = closing.lead(
        "closed",
        async (leadership) => {
          resolve(leadership);
          await new Promise((stop) => leadership.signal.addEventListener("abort", stop));
        },
        never,
      );
      const { epoch, signal } = await works;
      await closing.close();
      expect(signal.aborted).toBe(true);
      await holding;
      await other.lead("closed", async ({ epoch: next }) => expect(next).toBe(epoch + 1), never);
      expect(await one.list("store/beat/")).not.toHaveLength(3);
    });
  });
}
