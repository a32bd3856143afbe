/** What the handlers under `auth/token/` work with, for one request. */
import type { Storage } from "../../api/engine.ts";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { type AuthData, Authenticated } from "../../api/reply.ts";
import { plainTokenFields } from "../../api/token-fields.ts";
import type { IdentityLink } from "../identity-link.ts";
import type { LiveMount } from "../mounts/live-mounts.ts";
import { type MountLifetimes, tunedLifetimes } from "../mounts/mount-entry.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { homeStorage } from "./home-storage.ts";
import { type LifetimeRules, lifetimeOf } from "./lifetime.ts";
import { loginRules } from "./login-token.ts";
import type { Revocation } from "./revocation.ts";
import { isExpired, secondsLeft, type Token, type TokenLogin } from "./token.ts";
import type { IssuedToken, Tokens } from "./tokens.ts";

export interface TokenCore {
  readonly tokens: Tokens;
  readonly revocation: Revocation;
  readonly identity: IdentityLink;
  readonly lifetimes: MountLifetimes;
  mountByUuid(uuid: string, storage: Storage): Promise<LiveMount | undefined>;
  /** Whether a policy of this name exists. */
  policyExists(name: string, storage: Storage): Promise<boolean>;
}

export class TokenServices {
  readonly core: TokenCore;
  /** The records of the request's namespace; the caller's own token may be in those of another one. */
  readonly storage: Storage;
  readonly lifetimes: MountLifetimes;
  readonly #exchange: Exchange;

  constructor(core: TokenCore, storage: Storage, exchange: Exchange, lifetimes: MountLifetimes) {
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

  /** Policies that the token's entity and its groups bring. */
  async identityPolicies(token: Token): Promise<readonly string[]> {
    if (token.entity_id === "") return [];
    const home = homeStorage(token, this.storage);
    return (await this.core.identity.of(token.entity_id, home, this.#exchange.request.now)).policies;
  }

  /** Prolongs a token within its rules. */
  async renew({ id, token }: IssuedToken, increment: number, warn: (message: string) => void): Promise<Authenticated> {
    if (token.type === "batch") throw invalidRequest("batch tokens cannot be renewed");
    if (!token.renewable || token.expires === null) throw invalidRequest("lease is not renewable");
    const { now } = this.#exchange.request;
    const home = homeStorage(token, this.storage);
    const rules = token.login ? await this.#loginRules(token, token.login, home) : this.#ownRules(token);
    const age = Math.floor((now.getTime() - token.created) / 1000);
    const { seconds, warnings } = lifetimeOf(rules, age, increment);
    warnings.forEach(warn);
    const renewed = { ...token, expires: now.getTime() + seconds * 1000, renewed: now.getTime() };
    this.core.tokens.replace(token, renewed, home);
    return new Authenticated(authOf({ id, token: renewed }, now, await this.identityPolicies(token)));
  }

  #ownRules(token: Token): LifetimeRules {
    const { defaultSeconds, maxSeconds } = this.lifetimes;
    return {
      ttl: token.creation_ttl,
      maxTtl: 0,
      explicitMaxTtl: token.explicit_max_ttl,
      period: token.period,
      mountDefault: defaultSeconds,
      mountMax: maxSeconds,
    };
  }

  /** A login is asked again: its role may have changed since, or be gone. */
  async #loginRules({ entity_id }: Token, login: TokenLogin, home: Storage): Promise<LifetimeRules> {
    const { mount: uuid, internal, groupAliases } = login;
    const mount = await this.core.mountByUuid(uuid, home);
    if (!mount || "coreServices" in mount.engine) throw invalidRequest("the auth method of this token is gone");
    const services = mount.services(home, this.#exchange);
    const settings =
      (await mount.engine.renewLogin?.(internal, services, this.#exchange.request.source)) ?? plainTokenFields;
    if (groupAliases && entity_id !== "") {
      await this.core.identity.refreshGroups(entity_id, { mountAccessor: mount.entry.accessor, groupAliases }, home);
    }
    return loginRules(settings, tunedLifetimes(mount.entry, this.core.lifetimes));
  }
}

export const badToken = () => new ApiError(403, "bad token");

/** The `auth` of an envelope for this token. */
export function authOf({ id, token }: IssuedToken, now: Date, identityPolicies: readonly string[] = []): AuthData {
  return {
    client_token: id,
    accessor: token.accessor,
    policies: [...new Set([...token.policies, ...identityPolicies])].sort(),
    ...(token.policies.length > 0 && { token_policies: token.policies }),
    ...(identityPolicies.length > 0 && { identity_policies: identityPolicies }),
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
