/** Users that auth methods have locked out after too many failed logins, and how to let them in again. */
import type { Storage } from "../../api/engine.ts";
import { Lockouts } from "../../api/lockout.ts";
import type { LiveMounts } from "../mounts/live-mounts.ts";
import { isAuth, type MountEntry } from "../mounts/mount-entry.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import type { Exchange } from "../pipeline/exchange.ts";

export interface LockedUsers {
  readonly mount_accessor: string;
  readonly alias_identifiers: readonly string[];
}

export class LockoutAdministration {
  readonly #live: LiveMounts;

  constructor(live: LiveMounts) {
    this.#live = live;
  }

  /** By mount, those with the most first; only this mount's if an accessor is given. */
  async list(accessor: string, now: Date, exchange: Exchange, storage: Storage): Promise<LockedUsers[]> {
    const found: LockedUsers[] = [];
    for (const entry of await authMounts(storage)) {
      if (accessor !== "" && entry.accessor !== accessor) continue;
      const users = (await (await this.#lockoutsOf(entry, exchange, storage))?.locked(now)) ?? [];
      if (users.length > 0) found.push({ mount_accessor: entry.accessor, alias_identifiers: users });
    }
    return found.sort((a, b) => b.alias_identifiers.length - a.alias_identifiers.length);
  }

  /** False if no auth method that locks users out has this accessor. A user who is not locked out is left alone. */
  async unlock(accessor: string, alias: string, exchange: Exchange, storage: Storage): Promise<boolean> {
    const entry = (await authMounts(storage)).find((candidate) => candidate.accessor === accessor);
    const lockouts = entry && (await this.#lockoutsOf(entry, exchange, storage));
    await lockouts?.clear(alias);
    return lockouts !== undefined;
  }

  /** Auth methods that lock users out have them among their services, with the rules that hold for the mount. */
  async #lockoutsOf(entry: MountEntry, exchange: Exchange, storage: Storage): Promise<Lockouts | undefined> {
    const services = (await this.#live.of(entry, scopeOf(storage).namespace)).services(storage, exchange);
    const { lockouts } = (services ?? {}) as { readonly lockouts?: unknown };
    return lockouts instanceof Lockouts ? lockouts : undefined;
  }
}

const authMounts = async (storage: Storage): Promise<MountEntry[]> =>
  (await readMountTable(storage)).entries.filter(isAuth);
