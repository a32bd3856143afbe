import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import { text } from "../../src/core/storage/store-case.suite.ts";
import { sharedLmdb, sharedPostgres } from "../support/shared-stores.ts";
import { StoreProcess } from "../support/store-process.ts";
import { testSharing } from "../support/store-sharing.suite.ts";

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
