/** Finds who answers for a path: the system itself, or a mount of the stored table. */
import type { Storage } from "../../api/engine.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { namespaceById } from "../namespaces/stored-namespace.ts";
import type { LiveMount, LiveMounts } from "./live-mounts.ts";
import { type MountTable, mountTableAtHand } from "./mount-table.ts";

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

  owning(path: string, storage: Storage): AtHand<LiveMount | undefined> {
    if (path.startsWith("sys/") || path === "sys") return this.#system;
    return withValue(mountTableAtHand(storage), (table) =>
      this.#served.has(table)
        ? this.#find(path, table, storage)
        : this.#serve(table, storage).then(() => this.#find(path, table, storage)),
    );
  }

  #find(path: string, table: MountTable, storage: Storage): AtHand<LiveMount | undefined> {
    const entry = table.owning(path);
    return entry && this.#live.of(entry, scopeOf(storage).namespace);
  }

  /** Another version of a table is another object. This is also the time to look for namespaces that are gone. */
  async #serve(table: MountTable, storage: Storage): Promise<void> {
    const { namespace, whole } = scopeOf(storage);
    this.#served.add(table);
    this.#live.keepOnly(namespace.id, table.entries);
    for (const id of this.#live.namespacesWithState()) {
      if (id !== rootNamespace.id && !(await namespaceById(id, whole))) this.#live.keepOnly(id, []);
    }
  }
}
