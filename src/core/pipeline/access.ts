/** What a token may do: its own policies, and those that its identity brings. */
import type { Storage } from "../../api/engine.ts";
import { permissionDenied } from "../../api/errors.ts";
import type { IdentityLink } from "../identity-link.ts";
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

  async aclOf(token: Token, storage: Storage, now: Date): Promise<Acl> {
    if (token.entity_id === "") return this.#policies.aclFor(token.policies, async () => nobody(now), storage, now);
    const { isActive, policies, view } = await this.#identity.of(token.entity_id, storage, now);
    if (!isActive) throw permissionDenied();
    return this.#policies.aclFor([...token.policies, ...policies], view, storage, now);
  }
}
