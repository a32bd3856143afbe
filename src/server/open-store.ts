/** Opens the store that a configuration names, and loads no other. */
import type { StorageConfig } from "../config/storage.ts";
import type { Store } from "../core/storage/store.ts";

/** `workers` processes of this node share what a node may use. */
export async function openStore(config: StorageConfig, workers: number): Promise<Store> {
  switch (config.type) {
    case "lmdb": {
      const { LmdbStore } = await import("../core/storage/lmdb.ts");
      return LmdbStore.open(config.path);
    }
    case "postgresql": {
      const { PostgresStore } = await import("../core/storage/postgres.ts");
      const { connection_url, table_prefix, max_connections } = config;
      return PostgresStore.open(connection_url, { tablePrefix: table_prefix, ...shared(max_connections / workers) });
    }
    case "inmem": {
      const { MemoryStore } = await import("../core/storage/memory.ts");
      return new MemoryStore();
    }
  }
}

/** Commits wait for the disk, so they get more of the connections than reads. */
const shared = (connections: number) => {
  const readers = Math.max(1, Math.floor(connections * 0.4));
  return { readers, writers: Math.max(1, Math.floor(connections) - readers) };
};
