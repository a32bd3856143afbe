/** What must hold when several processes use one store at the same time. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Conflict, type Leadership, type Store } from "../../src/core/storage/store.ts";
import { batch, Follower, incrementBy, text } from "../../src/core/storage/store-case.suite.ts";
import { StoreProcess } from "./store-process.ts";

export interface SharedStore {
  readonly kind: "lmdb" | "postgresql";
  /** Why it cannot be tried on this machine. */
  readonly missing?: string | undefined;
  /** Where its data are, new and empty, and how to get rid of them. */
  prepare(): Promise<{ readonly address: string; destroy(): Promise<void> }>;
  open(address: string, options?: object): Promise<Store>;
}

const leads = { lead: { beat: 50, patience: 600, poll: 50 } };

export function testSharing({ kind, missing, prepare, open }: SharedStore): void {
  describe(`processes that share a store of type ${kind}`, () => {
    let data: Awaited<ReturnType<SharedStore["prepare"]>>;
    let store: Store;
    const processes: StoreProcess[] = [];
    const start = async () => {
      const started = await StoreProcess.start(kind, data.address, leads);
      processes.push(started);
      return started;
    };
    beforeAll(async () => {
      if (missing !== undefined) return;
      data = await prepare();
      store = await open(data.address, leads);
    });
    beforeEach(({ skip }) => skip(missing !== undefined, missing));
    afterAll(async () => {
      for (const each of processes) await each.kill();
      await store?.close();
      await data?.destroy();
    });

    it("see each commit as soon as it is acknowledged, thousands of times and under load", async () => {
      const [writer, load] = [await start(), await start()];
      load.ask({ do: "flood", prefix: "load", inFlight: 2 }).catch(() => {});
      await followCount(store, writer, 2000);
      await load.kill();
    });

    it("lose none of the increments that they make at the same time", async () => {
      const [one, other] = [await start(), await start()];
      const task = { do: "increment", key: "racing", times: 100 } as const;
      await Promise.all([one.ask(task), other.ask(task), incrementBy(store, "racing", 100)]);
      expect(await text(store, "racing")).toBe("300");
      await one.close();
      await other.close();
    });

    it("take over a lead from one that was killed, which cannot write any more", async () => {
      const holder = await start();
      const first = await holder.ask<Pick<Leadership, "epoch" | "fence">>({ do: "lead", name: "job" });
      const fenced = () =>
        store.commit(batch({ expect: { [first.fence.key]: first.fence.version }, puts: { fenced: "x" } }));
      await fenced();
      await holder.kill();
      await store.lead(
        "job",
        async ({ epoch }) => {
          expect(epoch).toBe(first.epoch + 1);
          await expect(fenced()).rejects.toThrow(Conflict);
        },
        new AbortController().signal,
      );
    });
  });
}

/** Another process counts, and each number that it tells must be seen here at once, also through a cache. */
export async function followCount(store: Store, writer: StoreProcess, times: number): Promise<void> {
  const follower = new Follower(store);
  const checks: Promise<void>[] = [];
  const check = async (number: number) => {
    await follower.check();
    const [cached, read] = [await follower.read("counted"), await text(store, "counted")];
    expect(Number(cached)).toBeGreaterThanOrEqual(number);
    expect(Number(read)).toBeGreaterThanOrEqual(number);
  };
  // Not one after the other: a check begins when it is told, whatever others are still under way.
  writer.onTold = (number) => {
    const checking = check(number as number);
    checking.catch(() => {});
    checks.push(checking);
  };
  await writer.ask({ do: "count", key: "counted", times });
  await Promise.all(checks);
  expect(checks).toHaveLength(times);
  expect(await text(store, "counted")).toBe(String(times));
}
