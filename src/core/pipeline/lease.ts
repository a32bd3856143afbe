/** Registers what was handed out for a time, so that it ends: the answer leaves only once its lease is durable. */
import type { LeaseKind, Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { Leased } from "../../api/reply.ts";
import { randomBase62 } from "../../lib/base62.ts";
import type { Lease } from "../leases/lease.ts";
import type { Leases } from "../leases/leases.ts";
import { type MountLifetimes, tunedLifetimes } from "../mounts/mount-entry.ts";
import { entered } from "../namespaces/entered.ts";
import { suffixOf } from "../namespaces/namespace.ts";
import { LeaseQuotaExceeded, requireRoom } from "../quotas/lease-quotas.ts";
import type { Records } from "../storage/records.ts";
import { noteAbroad } from "../tokens/abroad.ts";
import { lifetimeOf } from "../tokens/lifetime.ts";
import type { Exchange } from "./exchange.ts";
import type { After, Before } from "./pipeline.ts";

export interface LeaseParts {
  readonly leases: Leases;
  readonly records: Records;
  readonly random: { bytes(count: number): Uint8Array };
  readonly lifetimes: MountLifetimes;
}

export const registerLease = (parts: LeaseParts): After => ({
  after: (exchange, answer) => (answer instanceof Leased ? registered(exchange, answer, parts) : answer),
});

/** Operations that gave a lease once: they are asked no more where a quota has no room. */
const leasing = new WeakSet<object>();

const operationOf = ({ match, request }: Exchange): object | undefined =>
  match?.route.operations[request.operation]?.operation;

/** What gives leases need not be asked for one that is too many. Those that are not known yet are asked in vain once. */
export const requireLeaseRoom: Before = {
  before(exchange) {
    const operation = operationOf(exchange);
    if (operation === undefined || !leasing.has(operation)) return undefined;
    return requireRoom(exchange.request.path, exchange.storage!).then(() => undefined);
  },
};

async function registered(exchange: Exchange, answer: Leased<unknown>, parts: LeaseParts) {
  const lease = leaseFor(exchange, answer, parts);
  leasing.add(operationOf(exchange)!);
  try {
    return await registeredLease(lease, exchange, answer, parts);
  } catch (error) {
    if (error instanceof LeaseQuotaExceeded && exchange.transaction!.isFinished) await giveBack(lease, exchange, parts);
    throw error;
  }
}

/** It was made outside already, and nobody will hear of it. */
async function giveBack({ kind, secret }: Lease, exchange: Exchange, { records }: LeaseParts): Promise<void> {
  const { engine, services } = exchange.mount!;
  const kinds = "leases" in engine ? engine.leases : undefined;
  const given = kinds?.[kind] as LeaseKind<unknown> | undefined;
  await records.transaction(async (whole) =>
    given?.revoke(secret, services(await entered(exchange.namespace, whole), exchange)),
  );
}

async function registeredLease(lease: Lease, exchange: Exchange, answer: Leased<unknown>, parts: LeaseParts) {
  const transaction = exchange.transaction!;
  // An operation with effects has committed already; what it gave out gets a commit of its own.
  if (!transaction.isFinished) await register(lease, exchange, exchange.storage!, parts);
  else
    await parts.records.transaction(async (whole) =>
      register(lease, exchange, await entered(exchange.namespace, whole), parts),
    );
  return new Leased(answer.data, answer.lease, { id: lease.id, seconds: lease.ttl, renewable: lease.renewable });
}

/** A token of another namespace must find the lease again when it ends. */
async function register(lease: Lease, exchange: Exchange, storage: Storage, { leases }: LeaseParts): Promise<void> {
  const { token } = exchange;
  await leases.add(lease, storage);
  if (token) await noteAbroad(token, storage);
  await tellEngine(lease, exchange, storage);
}

async function tellEngine({ kind, secret }: Lease, exchange: Exchange, storage: Storage): Promise<void> {
  const { engine, services } = exchange.mount!;
  const kinds = "leases" in engine ? engine.leases : undefined;
  const registered = kinds?.[kind] as LeaseKind<unknown> | undefined;
  await registered?.registered?.(secret, services(storage, exchange));
}

function leaseFor(exchange: Exchange, { lease }: Leased<unknown>, { random, lifetimes }: LeaseParts): Lease {
  const { request, namespace, mount, token, warnings } = exchange;
  if (token && token.num_uses === 1) {
    throw invalidRequest(
      "Secret cannot be returned; token had one use left, so leased credentials were immediately revoked.",
    );
  }
  const { defaultSeconds, maxSeconds } = tunedLifetimes(mount!.entry, lifetimes);
  const rules = {
    ttl: lease.seconds,
    maxTtl: lease.maxSeconds ?? 0,
    explicitMaxTtl: 0,
    period: 0,
    mountDefault: defaultSeconds,
    mountMax: maxSeconds,
  };
  const { seconds, warnings: capped } = lifetimeOf(rules, 0, 0);
  warnings.push(...capped);
  return {
    id: `${request.path}/${randomBase62(24, random)}${suffixOf(namespace)}`,
    mount: mount!.entry.uuid,
    kind: lease.kind,
    secret: lease.secret,
    token: token?.key ?? "",
    renewable: lease.renewable,
    ttl: seconds,
    max_ttl: lease.maxSeconds ?? 0,
    issued: request.now.getTime(),
    expires: request.now.getTime() + seconds * 1000,
    renewed: 0,
    attempts: 0,
    revoke_error: "",
    irrevocable: false,
  };
}
