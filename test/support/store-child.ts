/**
 * A process of its own that opens a store and does what its parent tells it:
 * `store-child.ts <lmdb|postgresql> <path or address> <options as JSON>`. See `store-process.ts` for the other side.
 */
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import { PostgresStore } from "../../src/core/storage/postgres.ts";
import { batch, incrementBy } from "../../src/core/storage/store-case.suite.ts";
import type { Task } from "./store-process.ts";

const [kind, address, options] = process.argv.slice(2) as [string, string, string];
const open = kind === "lmdb" ? LmdbStore.open : PostgresStore.open;
const store = await open(address, JSON.parse(options));
const stop = new AbortController();

process.on("message", async ({ id, task }: { id: number; task: Task }) => {
  try {
    process.send!({ id, result: await perform(task) });
  } catch (error) {
    process.send!({ id, error: String(error) });
  }
});
process.on("disconnect", () => process.exit());
process.send!({ id: 0 });

async function perform(task: Task): Promise<unknown> {
  switch (task.do) {
    case "increment":
      return incrementBy(store, task.key, task.times);
    case "count":
      return count(task.key, task.times);
    case "flood":
      return flood(task.prefix, task.inFlight);
    case "fill":
      return fill(task.prefix, task.entries, task.bytes);
    case "reopen":
      return reopen(task.times);
    case "lead":
      return lead(task.name);
    case "close":
      stop.abort();
      return store.close();
  }
}

/** Writes one number after the other, telling of each once it is durable. */
async function count(key: string, times: number): Promise<void> {
  for (let number = 1; number <= times; number++) {
    await store.commit(batch({ puts: { [key]: String(number) } }));
    process.send!({ told: number });
  }
}

/** Writes three keys at a time, in many commits at once and without end, telling of each commit once it is durable. */
async function flood(prefix: string, inFlight: number): Promise<void> {
  const writer = async (lane: number) => {
    for (let number = 0; ; number++) {
      const base = `${prefix}/${lane}-${number}`;
      const value = `${lane} ${number} `.repeat(1 + ((lane * 7 + number) % 60));
      await store.commit(batch({ puts: { [`${base}/a`]: value, [`${base}/b`]: value, [`${base}/c`]: value } }));
      process.send!({ told: base });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, lane) => writer(lane)));
}

async function fill(prefix: string, entries: number, bytes: number): Promise<void> {
  for (let index = 0; index < entries; index++) {
    await store.commit(batch({ puts: { [`${prefix}/${index}`]: String(index % 10).repeat(bytes) } }));
  }
}

/** Like so many processes that start one after the other. */
async function reopen(times: number): Promise<void> {
  await store.close();
  for (let round = 0; round < times; round++) await (await open(address, JSON.parse(options))).close();
}

/** Answers once it leads, and goes on leading. */
function lead(name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const work = async ({ epoch, fence, signal }: Parameters<Parameters<typeof store.lead>[1]>[0]) => {
      resolve({ epoch, fence });
      await new Promise((end) => signal.addEventListener("abort", end));
    };
    store.lead(name, work, stop.signal).catch(reject);
  });
}
