/** Finds who answers for a path: the system itself, or a mount of the stored table. */
import type { Storage } from "../../api/engine.ts";
import type { Transaction } from "../storage/transaction.ts";
import type { LiveMount, LiveMounts } from "./live-mounts.ts";
import { readMountTable } from "./mount-table.ts";

export class Mounts {
  readonly #live: LiveMounts;
  readonly #system: LiveMount;

  constructor(live: LiveMounts, system: LiveMount) {
    this.#live = live;
    this.#system = system;
  }

  /** Serves also while sealed, since it is in no table. */
  get system(): LiveMount {
    return this.#system;
  }

  async owning(path: string, storage: Transaction): Promise<LiveMount | undefined> {
    if (path.startsWith("sys/") || path === "sys") return this.#system;
    const entry = (await readMountTable(storage)).owning(path);
    return entry && this.#live.of(entry);
  }

  async list(storage: Storage) {
    return (await readMountTable(storage)).entries;
  }
}
