import { expect, test } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import { testStore } from "../storage/store.suite.ts";
import { Conflict, type Store } from "../storage/store.ts";
import { batch } from "../storage/store-case.suite.ts";
import { MeasuredStore } from "./measured-store.ts";
import { Metrics } from "./metrics.ts";
import { metricsSummary } from "./summary.ts";

testStore({
  name: "measured",
  async prepare() {
    const open = async (options?: ConstructorParameters<typeof MemoryStore>[0]) =>
      new MeasuredStore(new MemoryStore(options), new Metrics({ stopwatch: () => 0 }));
    return { isShared: false, open, destroy: async () => {} };
  },
});

function counted(metrics: Metrics): Record<string, number> {
  const { Counters, Samples } = metricsSummary(metrics, new Date(0));
  return Object.fromEntries(
    [...Counters, ...Samples].map(({ Name, Count }) => [Name.replace("strongroom_", ""), Count]),
  );
}

test("what is asked of the store is counted, and so is how it ended", async () => {
  const metrics = new Metrics({ stopwatch: () => 0 });
  const inner: Store = new MemoryStore();
  const store = new MeasuredStore(inner, metrics);
  await store.commit(batch({ puts: { a: "1" } }));
  await store.get("a");
  await store.get("b");
  await store.list("");
  await expect(store.commit(batch({ puts: { a: "2" }, expect: { a: undefined } }))).rejects.toThrow(Conflict);
  await inner.close();
  await expect(store.commit(batch({ puts: { a: "2" } }))).rejects.toThrow();
  expect(counted(metrics)).toEqual({
    store_reads_total: 2,
    store_lists_total: 1,
    store_conflicts_total: 1,
    store_failures_total: 1,
    store_commit_duration_seconds: 1,
  });
});

test("a commit is measured until it is durable", async () => {
  let now = 0;
  const metrics = new Metrics({ stopwatch: () => now });
  const inner = new MemoryStore();
  const commit = inner.commit.bind(inner);
  inner.commit = async (change) => {
    await commit(change);
    now += 1500;
  };
  await new MeasuredStore(inner, metrics).commit(batch({ puts: { a: "1" } }));
  expect(metricsSummary(metrics, new Date(0)).Samples).toMatchObject([{ Count: 1, Sum: 1.5 }]);
});
