/** Writes lease-count quotas, each with the intent to count anew what it is about. */
import type { Random, Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { resolvePlace } from "../namespaces/resolve.ts";
import { forgetLeaseCount, leaseCount, setLeaseCount, storedLeaseQuotas, writeLeaseQuotas } from "./lease-quotas.ts";
import { beginRecount } from "./lease-recount.ts";
import { quotaPath } from "./quota-administration.ts";

export interface LeaseQuotaInput {
  readonly name: string;
  readonly path: string;
  readonly role: string;
  readonly max_leases: number;
}

/** Answers the id of the recount to finish. */
export async function putLeaseQuota(input: LeaseQuotaInput, random: Random, storage: Storage): Promise<string> {
  const { name, role, max_leases } = input;
  if (!(max_leases >= 1 && max_leases <= 1e12)) throw invalidRequest("'max_leases' must be greater than 0");
  if (role !== "") throw invalidRequest("a lease-count quota takes no role: it counts all leases below its path");
  const path = await quotaPath(input, storage);
  if (await leadsElsewhere(path, storage)) {
    throw invalidRequest("a lease-count quota is about leases of its own namespace: write it in the one that is meant");
  }
  const rules = (await storedLeaseQuotas(storage)) ?? [];
  const twin = rules.find((rule) => rule.name !== name && rule.path === path);
  if (twin) {
    throw invalidRequest(`quota rule with similar properties exists under the name ${JSON.stringify(twin.name)}`);
  }
  const before = rules.find((rule) => rule.name === name);
  const id = before?.id ?? randomUuid(random);
  writeLeaseQuotas([...rules.filter((rule) => rule !== before), { id, name, path, max_leases }], storage);
  if ((await leaseCount(id, storage)) === undefined) setLeaseCount(id, 0, storage);
  // A quota that was moved leaves leases to others in its old place, which may be anywhere.
  beginRecount(id, before && before.path !== path ? "" : path, storage);
  return id;
}

async function leadsElsewhere(path: string, storage: Storage): Promise<boolean> {
  const { namespace, whole } = scopeOf(storage);
  const place = await resolvePlace(namespace.path.slice(0, -1), path.endsWith("/") ? path : `${path}/`, whole);
  return path !== "" && place.namespace.id !== namespace.id;
}

/** Its leases count for the next most exact quota. Undefined if there is none of this name. */
export async function deleteLeaseQuota(name: string, storage: Storage): Promise<string | undefined> {
  const rules = (await storedLeaseQuotas(storage)) ?? [];
  const gone = rules.find((rule) => rule.name === name);
  if (!gone) return undefined;
  writeLeaseQuotas(
    rules.filter((rule) => rule !== gone),
    storage,
  );
  forgetLeaseCount(gone.id, storage);
  beginRecount(gone.id, gone.path, storage);
  return gone.id;
}
