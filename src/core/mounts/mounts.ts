/** Finds who answers for a path: the system itself, or a mount of the stored table. */
import type { Transaction } from "../storage/transaction.ts";
import type { LiveMount, LiveMounts } from "./live-mounts.ts";
import { type MountTable, readMountTable } from "./mount-table.ts";

export class Mounts {
  readonly #live: LiveMounts;
  readonly #system: LiveMount;
  #served: MountTable | undefined;

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
    const table = await readMountTable(storage);
    if (table !== this.#served) this.#serve(table);
    const entry = table.owning(path);
    return entry && this.#live.of(entry);
  }

  #serve(table: MountTable): void {
    this.#served = table;
    this.#live.keepOnly(table.entries);
  }
}
