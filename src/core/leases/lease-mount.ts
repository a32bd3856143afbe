/** The mount that gave a lease, and the request-like surroundings in which its engine acts on it. */
import type { Storage } from "../../api/engine.ts";
import type { LiveMount, LiveMounts } from "../mounts/live-mounts.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import type { Namespace } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { type Exchange, exchangeFor } from "../pipeline/exchange.ts";
import type { Lease } from "./lease.ts";

export async function mountOfLease(lease: Lease, live: LiveMounts, storage: Storage): Promise<LiveMount> {
  const entry = (await readMountTable(storage)).withUuid(lease.mount);
  if (!entry) throw new Error("the mount that gave this lease is gone");
  return live.of(entry, scopeOf(storage).namespace);
}

/** Engines get services as for a request; this one has no caller. */
export function engineExchange({ id }: Lease, namespace: Namespace, now: Date): Exchange {
  const source = { remoteAddress: "", header: () => undefined, clientCertificates: () => [] };
  const request = { id: "", operation: "delete", path: id, body: {}, token: undefined, now, source } as const;
  return exchangeFor(request, namespace);
}
