/** Finds who answers for a path: the system itself, or a mount of the stored table. */
import type { Storage } from "../../api/engine.ts";
import { rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { namespaceById } from "../namespaces/stored-namespace.ts";
import type { LiveMount, LiveMounts } from "./live-mounts.ts";
import { type MountTable, readMountTable } from "./mount-table.ts";

export class Mounts {
  readonly #live: LiveMounts;
  readonly #system: LiveMount;
  /** Tables that were seen before. */
  readonly #served = new WeakSet<MountTable>();

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
    const { namespace, whole } = scopeOf(storage);
    if (!this.#served.has(table)) await this.#serve(table, namespace.id, whole);
    const entry = table.owning(path);
    return entry && this.#live.of(entry, namespace);
  }

  /** Another version of a table is another object. This is also the time to look for namespaces that are gone. */
  async #serve(table: MountTable, namespace: string, whole: Storage): Promise<void> {
    this.#served.add(table);
    this.#live.keepOnly(namespace, table.entries);
    for (const id of this.#live.namespacesWithState()) {
      if (id !== rootNamespace.id && !(await namespaceById(id, whole))) this.#live.keepOnly(id, []);
    }
  }
}
