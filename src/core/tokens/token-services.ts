/** What the handlers under `auth/token/` work with, for one request. */
import type { Storage } from "../../api/engine.ts";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { type AuthData, Authenticated } from "../../api/reply.ts";
import type { MountLifetimes } from "../mounts/mount-entry.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Transaction } from "../storage/transaction.ts";
import { lifetimeOf } from "./lifetime.ts";
import type { Revocation } from "./revocation.ts";
import { isExpired, secondsLeft, type Token } from "./token.ts";
import type { IssuedToken, Tokens } from "./tokens.ts";

export interface TokenCore {
  readonly tokens: Tokens;
  readonly revocation: Revocation;
  /** Whether a policy of this name exists. */
  policyExists(name: string, storage: Storage): Promise<boolean>;
}

export class TokenServices {
  readonly core: TokenCore;
  readonly storage: Transaction;
  readonly lifetimes: MountLifetimes;
  readonly #exchange: Exchange;

  constructor(core: TokenCore, storage: Transaction, exchange: Exchange, lifetimes: MountLifetimes) {
    this.core = core;
    this.storage = storage;
    this.lifetimes = lifetimes;
    this.#exchange = exchange;
  }

  /** The caller's own token. */
  get own(): { id: string; token: Token } {
    return { id: this.#exchange.request.token ?? "", token: this.#exchange.token! };
  }

  /** The token with this id if it is alive; the caller's own for none. */
  async alive(id: string): Promise<IssuedToken | undefined> {
    if (id === "" || id === this.own.id) return this.own;
    const token = await this.core.tokens.find(id, this.storage);
    return token && !isExpired(token, this.#exchange.request.now) ? { id, token } : undefined;
  }

  async aliveByAccessor(accessor: string): Promise<Token> {
    if (accessor === "") throw invalidRequest("missing accessor");
    const token = await this.core.tokens.byAccessor(accessor, this.storage);
    if (!token || isExpired(token, this.#exchange.request.now)) throw invalidRequest("invalid accessor");
    return token;
  }

  /** Prolongs a token within its rules. */
  renew({ id, token }: IssuedToken, increment: number, warn: (message: string) => void): Authenticated {
    if (token.type === "batch") throw invalidRequest("batch tokens cannot be renewed");
    if (!token.renewable || token.expires === null) throw invalidRequest("lease is not renewable");
    const { now } = this.#exchange.request;
    const { defaultSeconds, maxSeconds } = this.lifetimes;
    const rules = {
      ttl: token.creation_ttl,
      maxTtl: 0,
      explicitMaxTtl: token.explicit_max_ttl,
      period: token.period,
      mountDefault: defaultSeconds,
      mountMax: maxSeconds,
    };
    const age = Math.floor((now.getTime() - token.created) / 1000);
    const { seconds, warnings } = lifetimeOf(rules, age, increment);
    warnings.forEach(warn);
    const renewed = { ...token, expires: now.getTime() + seconds * 1000, renewed: now.getTime() };
    this.core.tokens.replace(token, renewed, this.storage);
    return new Authenticated(authOf({ id, token: renewed }, now));
  }
}

export const badToken = () => new ApiError(403, "bad token");

/** The `auth` of an envelope for this token. */
export function authOf({ id, token }: IssuedToken, now: Date): AuthData {
  return {
    client_token: id,
    accessor: token.accessor,
    policies: token.policies,
    ...(token.policies.length > 0 && { token_policies: token.policies }),
    metadata: token.meta,
    lease_duration: secondsLeft(token, now),
    renewable: token.renewable,
    entity_id: token.entity_id,
    token_type: token.type,
    orphan: token.parent === "",
    mfa_requirement: null,
    num_uses: token.num_uses,
  };
}
