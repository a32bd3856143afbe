import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import { text } from "../../src/core/storage/store-case.suite.ts";
import { sharedLmdb, sharedPostgres } from "../support/shared-stores.ts";
import { StoreProcess } from "../support/store-process.ts";
import { followCount, testSharing } from "../support/store-sharing.suite.ts";

testSharing(sharedLmdb);
testSharing(sharedPostgres);

it("processes that share an LMDB folder outgrow its address space together", async () => {
  const path = await mkdtemp(join(tmpdir(), "strongroom-growing-"));
  const small = { mapSize: 128 * 1024 };
  const store = await LmdbStore.open(path, small);
  const processes = await Promise.all(["one", "other"].map(() => StoreProcess.start("lmdb", path, small)));
  const fill = { do: "fill", entries: 60, bytes: 50_000 } as const;
  await Promise.all(processes.map((each, index) => each.ask({ ...fill, prefix: `big/${index}` })));
  for (const prefix of ["big/0", "big/1"]) {
    for (let index = 0; index < fill.entries; index++) {
      expect(await text(store, `${prefix}/${index}`)).toBe(String(index % 10).repeat(fill.bytes));
    }
  }
  for (const each of processes) await each.close();
  await store.close();
  await rm(path, { recursive: true });
});

it("processes that open an LMDB folder neither undo nor hide what others commit meanwhile", async () => {
  // In memory where there is such a folder: the more commits, the more often one falls into the moment of opening.
  const path = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "strongroom-opening-"));
  const store = await LmdbStore.open(path);
  const start = () => StoreProcess.start("lmdb", path);
  const [writer, counter, opener, other] = [await start(), await start(), await start(), await start()];
  const acknowledged: string[] = [];
  writer.onTold = (base) => acknowledged.push(base as string);
  writer.ask({ do: "flood", prefix: "kept", inFlight: 2 }).catch(() => {});
  const reopen = { do: "reopen", times: 300 } as const;
  await Promise.all([opener.ask(reopen), other.ask(reopen), followCount(store, counter, 2000)]);
  for (const each of [writer, counter, opener, other]) await each.kill();
  const found = new Set((await store.list("kept/")).map((name) => `kept/${name.slice(0, -1)}`));
  expect(acknowledged.filter((base) => !found.has(base))).toEqual([]);
  await store.close();
  await rm(path, { recursive: true });
});
