/** The stores that processes can share, each with new data for a test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import { PostgresStore } from "../../src/core/storage/postgres.ts";
import { noPostgres, startPostgres } from "./postgres.ts";
import type { SharedStore } from "./store-sharing.suite.ts";

export const sharedLmdb: SharedStore = {
  kind: "lmdb",
  async prepare() {
    const address = await mkdtemp(join(tmpdir(), "strongroom-shared-"));
    return { address, destroy: () => rm(address, { recursive: true }) };
  },
  open: (path, options) => LmdbStore.open(path, options),
};

export const sharedPostgres: SharedStore = {
  kind: "postgresql",
  missing: noPostgres,
  async prepare() {
    const { url, stop } = await startPostgres();
    return { address: url, destroy: stop };
  },
  open: (url, options) => PostgresStore.open(url, options),
};
