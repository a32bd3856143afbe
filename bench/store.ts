/**
 * What the stores cost beside bare loops: `node bench/store.ts`. Prints operations per second and, since other work on
 * the machine falsifies these, microseconds of CPU per operation in this process.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { LmdbStore } from "../src/core/storage/lmdb.ts";
import { PostgresStore } from "../src/core/storage/postgres.ts";
import type { Store } from "../src/core/storage/store.ts";
import { noPostgres, startPostgres } from "../test/support/postgres.ts";

const keys = 100_000;
const seconds = Number(process.env["SECONDS"] ?? 2);
const prefix = "logical/1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9/metadata/";
const value = Buffer.alloc(300, 7);
const nameOf = (index: number) => `item-${String((index * 7919) % keys).padStart(6, "0")}`;

async function fill(store: Store): Promise<void> {
  for (let from = 0; from < keys; from += 1000) {
    const puts = new Map(Array.from({ length: 1000 }, (_, index) => [prefix + nameOf(from + index), value]));
    await store.commit({ expect: new Map(), puts, deletes: new Set() });
  }
}

/** So many at once, each beginning the next when it is done. */
async function measure(what: string, inFlight: number, run: (index: number) => unknown): Promise<number> {
  let done = 0;
  let isOver = false;
  const before = process.cpuUsage();
  const start = performance.now();
  setTimeout(() => {
    isOver = true;
  }, seconds * 1000);
  const lane = async () => {
    while (!isOver) {
      await run(done++);
      // Loops without any waiting would never let the timer run.
      if (done % 64 === 0) await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const rate = done / ((performance.now() - start) / 1000);
  const { user, system } = process.cpuUsage(before);
  const cpu = ((user + system) / done).toFixed(1);
  console.log(`${what.padEnd(44)} ${Math.round(rate).toLocaleString("en").padStart(9)}/s ${cpu.padStart(8)} µs CPU`);
  return rate;
}

async function measureStore(name: string, store: Store): Promise<{ get: number; page: number; commit: number }> {
  await fill(store);
  const get = await measure(`${name}: get`, 32, (index) => store.get(prefix + nameOf(index)));
  const { at } = await store.changes(undefined);
  await measure(`${name}: changes, nothing new`, 32, () => store.changes(at));
  const page = await measure(`${name}: page of 100 of ${keys}`, 32, (index) =>
    store.list(prefix, { after: nameOf(index), limit: 100 }),
  );
  const commit = await measure(`${name}: durable commit of one, 32 at once`, 32, (index) =>
    store.commit({ expect: new Map(), puts: new Map([[`w/${index % 1000}`, value]]), deletes: new Set() }),
  );
  await measure(`${name}: get and commit of three, 32 at once`, 32, async (index) => {
    const key = `x/${index % 1000}`;
    const entry = await store.get(key);
    const puts = new Map([key, `${key}/a`, `${key}/b`].map((each) => [each, value]));
    await store.commit({ expect: new Map([[key, entry?.version]]), puts, deletes: new Set() }).catch(() => {});
  });
  return { get, page, commit };
}

async function measureBareLmdb(path: string): Promise<{ get: number; page: number; commit: number }> {
  const binary = { encoding: "binary", keyEncoding: "binary" } as const;
  const root = open<Buffer, Buffer>(path, { ...binary, overlappingSync: false, mapSize: 2 ** 34 });
  const entries = root.openDB<Buffer, Buffer>({ name: "entries", ...binary });
  for (let index = 0; index < keys; index++) void entries.put(Buffer.from(prefix + nameOf(index)), value);
  await entries.committed;
  const get = await measure("bare LMDB: get", 32, (index) => entries.getBinary(Buffer.from(prefix + nameOf(index))));
  const page = await measure("bare LMDB: 100 keys", 32, (index) =>
    Array.from(entries.getKeys({ start: Buffer.from(prefix + nameOf(index)), limit: 100 }), String),
  );
  const commit = await measure("bare LMDB: durable put, 32 at once", 32, (index) =>
    entries.put(Buffer.from(`w/${index % 1000}`), value),
  );
  await root.close();
  return { get, page, commit };
}

const folder = await mkdtemp(join(tmpdir(), "strongroom-bench-"));
const bare = await measureBareLmdb(join(folder, "bare"));
const lmdb = await LmdbStore.open(join(folder, "store"));
const ours = await measureStore("LMDB", lmdb);
await lmdb.close();
await rm(folder, { recursive: true });
for (const what of ["get", "page", "commit"] as const) {
  console.log(`LMDB store to bare loop, ${what}: ${(ours[what] / bare[what]).toFixed(2)}`);
}
if (noPostgres === undefined) {
  const server = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB" } });
  const store = await PostgresStore.open(server.url);
  await measureStore("PostgreSQL", store);
  await store.close();
  await server.stop();
} else console.log(`PostgreSQL was not measured: ${noPostgres}`);
