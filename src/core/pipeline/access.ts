/** What a token may do: its own policies, and those that its identity brings. */
import type { Storage } from "../../api/engine.ts";
import { permissionDenied } from "../../api/errors.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import type { IdentityGrant, IdentityLink } from "../identity-link.ts";
import { nobody } from "../identity-mount.ts";
import { wayDown } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import type { Acl } from "../policies/acl.ts";
import type { Policies } from "../policies/policies.ts";
import { homeStorage } from "../tokens/home-storage.ts";
import { homeOf, type Token } from "../tokens/token.ts";

export class Access {
  readonly #policies: Policies;
  readonly #identity: IdentityLink;

  constructor(policies: Policies, identity: IdentityLink) {
    this.#policies = policies;
    this.#identity = identity;
  }

  /** What being somebody brings; undefined for a token that is nobody's. Refuses one whose entity is not active. */
  identityOf(token: Token, storage: Storage, now: Date): AtHand<IdentityGrant | undefined> {
    if (token.entity_id === "") return undefined;
    return this.#identity.of(token.entity_id, homeStorage(token, storage), now).then((grant) => {
      if (!grant.isActive) throw permissionDenied();
      return grant;
    });
  }

  aclOf(token: Token, storage: Storage, now: Date): AtHand<Acl> {
    const home = homeStorage(token, storage);
    // Rules are written as seen from the token's own namespace, and paths named as seen from that of the request.
    const way = home === storage ? "" : wayDown(homeOf(token), scopeOf(storage).namespace);
    return withValue(this.identityOf(token, storage, now), (grant) => {
      const policies = grant ? [...token.policies, ...grant.policies] : token.policies;
      return this.#policies.aclFor(policies, () => grant?.view ?? nobody(now), home, now, way);
    });
  }
}
