/**
 * How many leases may be alive at a time below a path, those of tokens among them. Each lease counts for the most exact
 * quota only, and says for which: so the number is kept in step in the commits that make and end leases.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { ApiError } from "../../api/errors.ts";
import type { AtHand } from "../../lib/at-hand.ts";
import { readAtHand } from "../storage/read-at-hand.ts";
import { mostExact } from "./quota-table.ts";

export interface LeaseQuota {
  readonly id: string;
  readonly name: string;
  /** Empty for all leases of the namespace; else as with other quotas. */
  readonly path: string;
  readonly max_leases: number;
}

const tableKey = "core/lease-quotas";
const counterKey = (id: string) => `core/lease-count/${id}`;

interface Counter {
  readonly count: number;
}

const parse = (bytes: Uint8Array) => parseRecord(bytes) as readonly LeaseQuota[];

/** Undefined where nobody ever wrote any: then a lease costs no more than before. */
export const storedLeaseQuotas = (storage: Storage): AtHand<readonly LeaseQuota[] | undefined> =>
  readAtHand(storage, tableKey, parse);

export function writeLeaseQuotas(rules: readonly LeaseQuota[], storage: Storage): void {
  storage.put(tableKey, recordBytes([...rules].sort((a, b) => (a.name < b.name ? -1 : 1))));
}

/** The one that a lease given by this path counts for. */
export const leaseQuotaFor = (rules: readonly LeaseQuota[], path: string): LeaseQuota | undefined =>
  mostExact(rules, path);

export async function leaseCount(id: string, storage: Storage): Promise<number | undefined> {
  return ((await storage.read(counterKey(id), parseRecord)) as Counter | undefined)?.count;
}

export function setLeaseCount(id: string, count: number, storage: Storage): void {
  storage.put(counterKey(id), recordBytes({ count } satisfies Counter));
}

export const forgetLeaseCount = (id: string, storage: Storage): void => storage.delete(counterKey(id));

/** Counts a lease that the path is about to give, and answers for which quota; refuses the one that is too many. */
export async function countLease(path: string, storage: Storage): Promise<string | undefined> {
  const rule = await requireRoom(path, storage);
  if (!rule) return undefined;
  setLeaseCount(rule.id, ((await leaseCount(rule.id, storage)) ?? 0) + 1, storage);
  return rule.id;
}

/** Refuses where there are as many leases as there may be. */
export async function requireRoom(path: string, storage: Storage): Promise<LeaseQuota | undefined> {
  const rules = await storedLeaseQuotas(storage);
  const rule = rules && leaseQuotaFor(rules, path);
  if (rule && ((await leaseCount(rule.id, storage)) ?? 0) >= rule.max_leases) throw new LeaseQuotaExceeded(path);
  return rule;
}

/** A lease that was counted is no more. A quota that is gone has no number any more either. */
export async function discountLease(quota: string | undefined, storage: Storage): Promise<void> {
  if (quota === undefined) return;
  const count = await leaseCount(quota, storage);
  if (count !== undefined) setLeaseCount(quota, Math.max(0, count - 1), storage);
}

export class LeaseQuotaExceeded extends ApiError {
  constructor(path: string) {
    super(
      429,
      `request path ${JSON.stringify(path)}: lease count quota exceeded; leases must end before new ones are given`,
    );
  }
}
