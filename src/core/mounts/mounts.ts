/** Finds who answers for a path: the system itself, or a mount of the stored table. */
import type { Storage } from "../../api/engine.ts";
import { rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import type { LiveMount, LiveMounts } from "./live-mounts.ts";
import { type MountTable, readMountTable } from "./mount-table.ts";

export class Mounts {
  readonly #live: LiveMounts;
  readonly #system: LiveMount;
  /** The table of each namespace that was asked for, by its id. */
  readonly #served = new Map<string, MountTable>();

  constructor(live: LiveMounts, system: LiveMount) {
    this.#live = live;
    this.#system = system;
  }

  /** Serves also while sealed, since it is in no table. */
  get system(): LiveMount {
    return this.#system;
  }

  async owning(path: string, storage: Storage): Promise<LiveMount | undefined> {
    if (path.startsWith("sys/") || path === "sys") return this.#system;
    const table = await readMountTable(storage);
    const { namespace } = scopeOf(storage);
    const before = this.#served.get(namespace.id);
    if (table !== before) {
      this.#served.set(namespace.id, table);
      this.#live.retire(before?.entries ?? [], table.entries);
    }
    const entry = table.owning(path);
    return entry && this.#live.of(entry, namespace);
  }

  /** Stops what the mounts of namespaces that are gone kept between requests. */
  async forgetNamespaces(isGone: (id: string) => Promise<boolean>): Promise<void> {
    for (const [id, table] of this.#served) {
      if (id === rootNamespace.id || !(await isGone(id))) continue;
      this.#served.delete(id);
      this.#live.retire(table.entries, []);
    }
  }
}
