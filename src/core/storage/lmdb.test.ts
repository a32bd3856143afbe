import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LmdbStore } from "./lmdb.ts";
import { testStore } from "./store.suite.ts";

testStore({
  name: "LMDB",
  async prepare() {
    const path = await mkdtemp(join(tmpdir(), "strongroom-lmdb-"));
    return {
      isShared: true,
      open: (options) => LmdbStore.open(path, options),
      destroy: () => rm(path, { recursive: true }),
    };
  },
});
