/** Creating, changing and deleting entities. */
import { invalidRequest } from "../api/errors.ts";
import type { Entities, Entity } from "./entity.ts";
import type { IdentityHost } from "./host.ts";
import { checkMetadata, type Metadata } from "./metadata.ts";
import { checkedPolicies } from "./policy-names.ts";
import { requireStorable } from "./storage-name.ts";

/** Empty texts and what is undefined say nothing. */
export interface EntityRequest {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly policies?: readonly string[] | undefined;
  readonly disabled?: boolean | undefined;
}

export class EntityChanges {
  readonly #entities: Entities;
  readonly #host: IdentityHost;

  constructor(entities: Entities, host: IdentityHost) {
    this.#entities = entities;
    this.#host = host;
  }

  /** Changes the entity that the request names, or makes a new one. Answers the new one only. */
  async write(request: EntityRequest, now: Date): Promise<Entity | undefined> {
    const { id = "", name = "", metadata, policies, disabled } = request;
    const before = await this.#named(id, name);
    if (metadata) checkMetadata(metadata);
    const base = before ?? (await this.#entities.draft(this.#host, now, name));
    const after: Entity = {
      ...base,
      name: name === "" ? base.name : name,
      metadata: metadata ?? base.metadata,
      policies: policies ? checkedPolicies(policies) : base.policies,
      disabled: disabled ?? base.disabled,
      last_update_time: now.toISOString(),
    };
    await this.#entities.save({ before, after });
    return before ? undefined : after;
  }

  /** What is not there is gone already. */
  async delete(ids: readonly string[]): Promise<void> {
    for (const id of new Set(ids)) {
      const before = await this.#entities.get(id);
      if (before) await this.#entities.save({ before, after: undefined });
    }
  }

  async #named(id: string, name: string): Promise<Entity | undefined> {
    const byId = id === "" ? undefined : await this.#entities.get(id);
    if (id !== "" && !byId) throw invalidRequest("entity not found from id");
    requireStorable(name);
    const byName = await this.#entities.named(name);
    if (byId && byName && byId.id !== byName.id) throw invalidRequest("entity name is already in use");
    return byId ?? byName;
  }
}
