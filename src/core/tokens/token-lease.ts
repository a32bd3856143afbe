/**
 * A token that ends has a lease as well, named by the path that made it: so operators find, and end, all that came in
 * through one auth method.
 */
import { recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { leaseKey } from "../leases/lease.ts";
import { suffixOf } from "../namespaces/namespace.ts";
import { homeOf, secondsLeft, type Token } from "./token.ts";

export interface TokenLease {
  /** The token's key. */
  readonly token: string;
}

/** In the order of time: what is made together lies together in the store, and costs one page of it and not one each. */
function leaseId(token: Token): string {
  const moment = token.created.toString(36).padStart(9, "0");
  return `${token.path.replace(/\/+$/, "")}/h${moment}${token.key}${suffixOf(homeOf(token))}`;
}

export function putTokenLease(token: Token, storage: Storage): void {
  storage.put(leaseKey(leaseId(token)), recordBytes({ token: token.key } satisfies TokenLease));
}

export function deleteTokenLease(token: Token, storage: Storage): void {
  storage.delete(leaseKey(leaseId(token)));
}

/** The answer to a lookup, in the peers' names. */
export function describeTokenLease(token: Token, now: Date) {
  return {
    id: leaseId(token),
    issue_time: new Date(token.created).toISOString(),
    expire_time: new Date(token.expires ?? 0).toISOString(),
    last_renewal: token.renewed === 0 ? null : new Date(token.renewed).toISOString(),
    renewable: token.renewable,
    ttl: secondsLeft(token, now),
    path: token.path,
  };
}
