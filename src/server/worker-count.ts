/** How many processes serve: one for each core, unless the operator says otherwise. */
import type { ServerConfig } from "../config/server-config.ts";

/** More cores than this are left to whatever else a machine does; who wants them can say so. */
const mostByDefault = 16;

export function workerCount({ workers, storage }: Pick<ServerConfig, "workers" | "storage">, cores: number): number {
  // What is in the memory of one process, no other one sees.
  if (storage.type === "inmem") return 1;
  return workers ?? Math.max(1, Math.min(cores, mostByDefault));
}
