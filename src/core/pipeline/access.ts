/** What a token may do: its own policies, and those that its identity brings. */
import type { Storage } from "../../api/engine.ts";
import type { Acl } from "../policies/acl.ts";
import type { Policies } from "../policies/policies.ts";
import type { IdentityView } from "../policies/templating.ts";
import type { Token } from "../tokens/token.ts";

export class Access {
  readonly #policies: Policies;

  constructor(policies: Policies) {
    this.#policies = policies;
  }

  aclOf(token: Token, storage: Storage, now: Date): Promise<Acl> {
    return this.#policies.aclFor(token.policies, async () => nobody(now), storage, now);
  }
}

const nobody = (now: Date): IdentityView => ({ groups: { ids: {}, names: {} }, now });
