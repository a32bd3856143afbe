/** Opens the store that a configuration names. */
import type { StorageConfig } from "../config/storage.ts";
import { LmdbStore } from "../core/storage/lmdb.ts";
import { MemoryStore } from "../core/storage/memory.ts";
import { PostgresStore } from "../core/storage/postgres.ts";
import type { Store } from "../core/storage/store.ts";

export async function openStore(config: StorageConfig): Promise<Store> {
  switch (config.type) {
    case "lmdb":
      return LmdbStore.open(config.path);
    case "postgresql":
      return PostgresStore.open(config.connection_url, {
        tablePrefix: config.table_prefix,
        ...shared(config.max_connections),
      });
    case "inmem":
      return new MemoryStore();
  }
}

/** Commits wait for the disk, so they get more of the connections than reads. */
const shared = (connections: number) => {
  const readers = Math.max(1, Math.floor(connections * 0.4));
  return { readers, writers: Math.max(1, connections - readers) };
};
