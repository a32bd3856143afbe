/** Creating, changing, moving and deleting the names that mounts have for entities. */
import { invalidRequest } from "../api/errors.ts";
import { type Alias, newAlias } from "./alias.ts";
import type { AliasOwner, Entities, Entity } from "./entity.ts";
import type { IdentityHost, KnownMount } from "./host.ts";
import type { KnownMounts } from "./known-mounts.ts";
import { checkCustomMetadata, type Metadata, sameMetadata } from "./metadata.ts";
import { requireWellFormed } from "./storage-name.ts";

/** Empty texts and what is undefined say nothing. */
export interface EntityAliasRequest {
  readonly id: string;
  readonly name: string;
  readonly mount_accessor: string;
  /** Of the entity. */
  readonly canonical_id: string;
  readonly custom_metadata: Metadata | undefined;
}

export interface SavedAlias {
  readonly id: string;
  readonly canonical_id: string;
}

export class EntityAliases {
  readonly #entities: Entities;
  readonly #mounts: KnownMounts;
  readonly #host: IdentityHost;

  constructor(entities: Entities, mounts: KnownMounts, host: IdentityHost) {
    this.#entities = entities;
    this.#mounts = mounts;
    this.#host = host;
  }

  /** By its id, or by its mount and name, which may also make a new one. Undefined when there was nothing to change. */
  async write(request: EntityAliasRequest, now: Date): Promise<SavedAlias | undefined> {
    const { id, name, mount_accessor, custom_metadata } = request;
    if (custom_metadata) checkCustomMetadata(custom_metadata);
    requireWellFormed(name);
    if (id !== "") return this.#changeById(request, now);
    if (name === "" || mount_accessor === "") {
      throw invalidRequest("'id' or 'mount_accessor' and 'name' must be provided");
    }
    const mount = await this.#mounts.require(mount_accessor);
    const owner = await this.#entities.withAliasNamed(mount_accessor, name);
    if (!owner) return this.#create(request, mount, now);
    // Clients of the peers count on it: what is not repeated here is taken away.
    return this.#change(owner, { ...request, custom_metadata: custom_metadata ?? {} }, now);
  }

  /** What is not there is gone already. */
  async delete(id: string): Promise<void> {
    const owner = await this.#entities.withAlias(id);
    if (owner) await this.#entities.save({ before: owner.entity, after: without(owner) });
  }

  async #create(request: EntityAliasRequest, { local }: KnownMount, now: Date): Promise<SavedAlias> {
    const { name, mount_accessor, canonical_id, custom_metadata = {} } = request;
    const before = canonical_id === "" ? undefined : await this.#entities.get(canonical_id);
    if (canonical_id !== "" && !before) throw invalidRequest("invalid canonical ID");
    if (before && hasAliasOn(before, mount_accessor)) {
      throw invalidRequest("Alias already exists for requested entity and mount accessor");
    }
    const entity = before ?? (await this.#entities.draft(this.#host, now));
    const alias = newAlias({ name, mount_accessor, custom_metadata, local }, this.#host, now);
    await this.#entities.save({ before, after: { ...entity, aliases: [...entity.aliases, alias] } });
    return { id: alias.id, canonical_id: entity.id };
  }

  async #changeById(request: EntityAliasRequest, now: Date): Promise<SavedAlias | undefined> {
    const owner = await this.#entities.withAlias(request.id);
    if (!owner) throw invalidRequest("invalid alias ID provided");
    return this.#change(owner, request, now);
  }

  async #change(owner: AliasOwner, request: EntityAliasRequest, now: Date): Promise<SavedAlias | undefined> {
    const { entity, alias } = owner;
    const changed: Alias = {
      ...alias,
      name: request.name || alias.name,
      mount_accessor: request.mount_accessor || alias.mount_accessor,
      custom_metadata: request.custom_metadata ?? alias.custom_metadata,
      last_update_time: now.toISOString(),
    };
    const isMoving = request.canonical_id !== "" && request.canonical_id !== entity.id;
    if (!isMoving && isSame(alias, changed)) return undefined;
    if (!isMoving && changed.mount_accessor !== alias.mount_accessor && hasAliasOn(entity, changed.mount_accessor)) {
      throw invalidRequest(
        "Alias cannot be updated as the entity already has an alias for the given 'mount_accessor' ",
      );
    }
    const { local } = await this.#mounts.require(changed.mount_accessor);
    await this.#requireFree(changed);
    const saved = { ...changed, local };
    if (isMoving) return this.#move(owner, saved, request.canonical_id);
    await this.#entities.save({ before: entity, after: withAlias(entity, saved) });
    return { id: alias.id, canonical_id: entity.id };
  }

  async #move(from: AliasOwner, alias: Alias, entityId: string): Promise<SavedAlias> {
    if (alias.local) throw invalidRequest("local aliases can't be moved between entities");
    const to = await this.#entities.get(entityId);
    if (!to) throw invalidRequest("given 'canonical_id' is not associated with an entity");
    if (hasAliasOn(to, alias.mount_accessor)) {
      throw invalidRequest("Alias cannot be updated as the given entity already has an alias for this mount ");
    }
    await this.#entities.save(
      { before: from.entity, after: without(from) },
      { before: to, after: { ...to, aliases: [...to.aliases, alias] } },
    );
    return { id: alias.id, canonical_id: to.id };
  }

  async #requireFree({ id, mount_accessor, name }: Alias): Promise<void> {
    const other = await this.#entities.withAliasNamed(mount_accessor, name);
    if (other && other.alias.id !== id) {
      throw invalidRequest("alias with combination of mount accessor and name already exists");
    }
  }
}

const hasAliasOn = ({ aliases }: Entity, accessor: string): boolean =>
  aliases.some(({ mount_accessor }) => mount_accessor === accessor);

const isSame = (one: Alias, other: Alias): boolean =>
  one.name === other.name &&
  one.mount_accessor === other.mount_accessor &&
  sameMetadata(one.custom_metadata, other.custom_metadata);

/** The entity with another version of one of its aliases. */
export const withAlias = (entity: Entity, alias: Alias): Entity => ({
  ...entity,
  aliases: entity.aliases.map((each) => (each.id === alias.id ? alias : each)),
});

const without = ({ entity, alias }: AliasOwner): Entity => ({
  ...entity,
  aliases: entity.aliases.filter(({ id }) => id !== alias.id),
});
