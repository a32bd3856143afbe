/** A lease as it is stored: something that was handed out, and how to end it. */

/** Where a lease is stored, by its id; tokens have their leases in the same tree. */
export const leaseFolder = "sys/lease/id/";
export const leaseKey = (id: string): string => leaseFolder + id;

export interface Lease {
  /** The path that gave it, and a random part. */
  readonly id: string;
  /** The mount whose engine ends it, by uuid. */
  readonly mount: string;
  readonly kind: string;
  /** What the engine needs to end it. */
  readonly secret: Readonly<Record<string, unknown>>;
  /** The token it was given to; empty for a batch token. */
  readonly token: string;
  readonly renewable: boolean;
  /** Seconds that it is given when nobody asks for a number. */
  readonly ttl: number;
  /** Longest life since it was issued, in seconds; 0 for the mount's own. */
  readonly max_ttl: number;
  /** Milliseconds since the epoch. */
  readonly issued: number;
  readonly expires: number;
  /** 0 for never. */
  readonly renewed: number;
  /** Failed attempts to end it. */
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly revoke_error: string;
  /** Id of the quota that it counts for, if there is one. */
  readonly quota?: string | undefined;
  /** Given up after too many attempts; somebody has to look. */
  readonly irrevocable: boolean;
}

/** The path that gave a lease. */
export const pathOfLease = (id: string): string => id.slice(0, id.lastIndexOf("/"));

const secondsLeft = ({ expires }: Lease, now: Date): number =>
  Math.max(0, Math.round((expires - now.getTime()) / 1000));

/** The answer to a lookup, in the peers' names. */
export function describeLease(lease: Lease, now: Date) {
  return {
    id: lease.id,
    issue_time: new Date(lease.issued).toISOString(),
    expire_time: new Date(lease.expires).toISOString(),
    last_renewal: lease.renewed === 0 ? null : new Date(lease.renewed).toISOString(),
    renewable: lease.renewable && !lease.irrevocable,
    ttl: secondsLeft(lease, now),
    path: pathOfLease(lease.id),
    ...(lease.revoke_error !== "" && { revoke_error: lease.revoke_error }),
  };
}
