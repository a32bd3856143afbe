/** A client token as it is stored. Its id is never kept: records are found by a keyed hash of it. */
import { isRootNamespace, type Namespace, rootNamespace } from "../namespaces/namespace.ts";

export interface Token {
  /** Where it was made, if not in the root namespace. */
  readonly namespace?: Namespace | undefined;
  /** Id of the lease-count quota that it counts for, if there is one. */
  readonly quota?: string | undefined;
  /** The keyed hash that it is stored under; empty for a batch token, which is not stored. */
  readonly key: string;
  /** The key of the token that made it; empty for an orphan. */
  readonly parent: string;
  /** Of a batch token, if its parent is of another namespace. */
  readonly parentNamespace?: Namespace | undefined;
  /** Empty for a batch token. */
  readonly accessor: string;
  readonly type: "service" | "batch";
  readonly policies: readonly string[];
  /** The path that made it, such as `auth/token/create`. */
  readonly path: string;
  readonly role: string;
  readonly meta: Readonly<Record<string, string>> | null;
  readonly display_name: string;
  readonly entity_id: string;
  readonly bound_cidrs: readonly string[];
  /** Uses left; 0 for no limit. */
  readonly num_uses: number;
  readonly renewable: boolean;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** Seconds that it was given first. */
  readonly creation_ttl: number;
  readonly explicit_max_ttl: number;
  readonly period: number;
  /** Milliseconds since the epoch; null for a token that does not expire. */
  readonly expires: number | null;
  /** Milliseconds since the epoch; 0 for never. */
  readonly renewed: number;
  /** For a token of a login: the mount, by uuid, and what its engine wants to see again at renewal. */
  readonly login: TokenLogin | null;
}

export interface TokenLogin {
  readonly mount: string;
  readonly internal: Readonly<Record<string, unknown>>;
  /** Groups that the auth method vouched for, by the names of their aliases; missing where it does not speak of groups. */
  readonly groupAliases?: readonly string[] | undefined;
}

/** The namespace that it belongs to. It may act there, and in those below. */
export const homeOf = ({ namespace = rootNamespace }: Pick<Token, "namespace">): Namespace => namespace;

export const isExpired = (token: Token, now: Date): boolean => token.expires !== null && token.expires <= now.getTime();

export const isRoot = (token: Token): boolean => token.policies.includes("root");

/** Whole seconds that are left; 0 for a token that does not expire. */
export const secondsLeft = (token: Token, now: Date): number =>
  token.expires === null ? 0 : Math.max(0, Math.round((token.expires - now.getTime()) / 1000));

/** The answer to a lookup, in the peers' names. `id` is empty where the caller must not learn it. */
export function describeToken(token: Token, id: string, now: Date, identityPolicies: readonly string[] = []) {
  const home = homeOf(token);
  return {
    accessor: token.accessor,
    creation_time: Math.floor(token.created / 1000),
    creation_ttl: token.creation_ttl,
    display_name: token.display_name,
    entity_id: token.entity_id,
    expire_time: token.expires === null ? null : new Date(token.expires).toISOString(),
    explicit_max_ttl: token.explicit_max_ttl,
    id,
    issue_time: new Date(token.created).toISOString(),
    meta: token.meta,
    num_uses: token.num_uses,
    orphan: token.parent === "",
    path: token.path,
    policies: token.policies,
    renewable: token.renewable,
    ttl: secondsLeft(token, now),
    type: token.type,
    // What is undefined is not there for the caller; and one shape for all is made several times faster than many.
    namespace_path: isRootNamespace(home) ? undefined : home.path,
    identity_policies: identityPolicies.length > 0 ? identityPolicies : undefined,
    role: token.role || undefined,
    period: token.period || undefined,
    bound_cidrs: token.bound_cidrs.length > 0 ? token.bound_cidrs : undefined,
    last_renewal: token.renewed > 0 ? new Date(token.renewed).toISOString() : undefined,
    last_renewal_time: token.renewed > 0 ? Math.floor(token.renewed / 1000) : undefined,
  };
}
