/** What a token may do: its own policies, and those that its identity brings. */
import type { Storage } from "../../api/engine.ts";
import { permissionDenied } from "../../api/errors.ts";
import type { IdentityGrant, IdentityLink } from "../identity-link.ts";
import { nobody } from "../identity-mount.ts";
import type { Acl } from "../policies/acl.ts";
import type { Policies } from "../policies/policies.ts";
import type { Token } from "../tokens/token.ts";

export class Access {
  readonly #policies: Policies;
  readonly #identity: IdentityLink;

  constructor(policies: Policies, identity: IdentityLink) {
    this.#policies = policies;
    this.#identity = identity;
  }

  /** What being somebody brings; undefined for a token that is nobody's. Refuses one whose entity is not active. */
  async identityOf(token: Token, storage: Storage, now: Date): Promise<IdentityGrant | undefined> {
    if (token.entity_id === "") return undefined;
    const grant = await this.#identity.of(token.entity_id, storage, now);
    if (!grant.isActive) throw permissionDenied();
    return grant;
  }

  async aclOf(token: Token, storage: Storage, now: Date): Promise<Acl> {
    const grant = await this.identityOf(token, storage, now);
    if (!grant) return this.#policies.aclFor(token.policies, async () => nobody(now), storage, now);
    return this.#policies.aclFor([...token.policies, ...grant.policies], grant.view, storage, now);
  }
}
