/** Prolongs leases within their rules, telling the engine where it wants to know. */

import type { LeaseKind } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { MountLifetimes } from "../mounts/mount-entry.ts";
import { tunedLifetimes } from "../mounts/mount-entry.ts";
import { entered } from "../namespaces/entered.ts";
import type { Namespace } from "../namespaces/namespace.ts";
import { lifetimeOf } from "../tokens/lifetime.ts";
import type { EndingParts } from "./lease-ending.ts";
import { engineExchange, mountOfLease } from "./lease-mount.ts";

export interface Renewed {
  readonly seconds: number;
  readonly renewable: boolean;
  readonly warnings: readonly string[];
}

export class LeaseRenewal {
  readonly #parts: EndingParts;
  readonly #lifetimes: MountLifetimes;

  constructor(parts: EndingParts, lifetimes: MountLifetimes) {
    this.#parts = parts;
    this.#lifetimes = lifetimes;
  }

  /** The engine acts first: a lease must never outlive what it stands for in the outside world. */
  async renew(id: string, increment: number, namespace: Namespace, now: Date): Promise<Renewed> {
    const { records, leases, live } = this.#parts;
    return records.transaction(async (whole) => {
      const storage = await entered(namespace, whole);
      const lease = await leases.find(id, storage);
      if (!lease && (await leases.tokenBehind(id, storage)) !== undefined) {
        throw invalidRequest("tokens cannot be renewed through this path: use auth/token/renew");
      }
      if (!lease || lease.expires <= now.getTime()) throw invalidRequest("lease not found");
      if (!lease.renewable || lease.irrevocable) throw invalidRequest("lease is not renewable");
      const mount = await mountOfLease(lease, live, storage);
      const { defaultSeconds, maxSeconds } = tunedLifetimes(mount.entry, this.#lifetimes);
      const rules = {
        ttl: lease.ttl,
        maxTtl: lease.max_ttl,
        explicitMaxTtl: 0,
        period: 0,
        mountDefault: defaultSeconds,
      };
      const age = Math.floor((now.getTime() - lease.issued) / 1000);
      const { seconds, warnings } = lifetimeOf({ ...rules, mountMax: maxSeconds }, age, increment);
      const kinds = "leases" in mount.engine ? mount.engine.leases : undefined;
      const kind = kinds?.[lease.kind] as LeaseKind<unknown> | undefined;
      const services = mount.services(storage, engineExchange(lease, namespace, now));
      await kind?.renew?.(lease.secret, services, { seconds, expires: new Date(now.getTime() + seconds * 1000) });
      const renewed = { ...lease, expires: now.getTime() + seconds * 1000, renewed: now.getTime() };
      leases.replace(lease, renewed, storage);
      return { seconds, renewable: true, warnings };
    });
  }
}
