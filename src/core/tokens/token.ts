/** A client token as it is stored. Its id is never kept: records are found by a keyed hash of it. */

export interface Token {
  /** The keyed hash that it is stored under. */
  readonly key: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  /** The path that made it, such as `auth/token/root`. */
  readonly path: string;
  readonly meta: Readonly<Record<string, string>> | null;
  readonly display_name: string;
  readonly num_uses: number;
  readonly type: "service" | "batch";
  readonly orphan: boolean;
  readonly renewable: boolean;
  readonly entity_id: string;
  /** Seconds since the epoch. */
  readonly creation_time: number;
  readonly creation_ttl: number;
  readonly explicit_max_ttl: number;
  /** Milliseconds since the epoch; null for a token that does not expire. */
  readonly expires: number | null;
}

export const isExpired = (token: Token, now: Date): boolean => token.expires !== null && token.expires <= now.getTime();

export const isRoot = (token: Token): boolean => token.policies.includes("root");
