/** Makes one entity of several: aliases, groups and policies come together, and tokens of the others go on as its own. */
import { ApiError, invalidRequest } from "../api/errors.ts";
import type { Alias } from "./alias.ts";
import type { Entities, Entity } from "./entity.ts";
import type { KnownMounts } from "./known-mounts.ts";
import { mergedPolicies } from "./policy-names.ts";

export interface MergeRequest {
  readonly to_entity_id: string;
  readonly from_entity_ids: readonly string[];
  /** Of two aliases on one mount: the one to keep. */
  readonly conflicting_alias_ids_to_keep: readonly string[];
  /** Of two aliases on one mount, keep what the target has. */
  readonly force: boolean;
}

/** An alias together with the entity that it comes from. */
interface Held {
  readonly alias: Alias;
  readonly owner: Entity;
}

interface Clash {
  readonly kept: Held;
  readonly coming: Held;
}

export class EntityMerge {
  readonly #entities: Entities;
  readonly #mounts: KnownMounts;

  constructor(entities: Entities, mounts: KnownMounts) {
    this.#entities = entities;
    this.#mounts = mounts;
  }

  async run(request: MergeRequest, now: Date): Promise<void> {
    const { to, from } = await this.#parties(request);
    const aliases = await this.#aliases(to, from, request);
    const all = [to, ...from];
    const after: Entity = {
      ...to,
      aliases,
      policies: mergedPolicies(all.map(({ policies }) => policies)),
      group_ids: [...new Set(all.flatMap(({ group_ids }) => group_ids))],
      merged_entity_ids: [...to.merged_entity_ids, ...from.flatMap((each) => [...each.merged_entity_ids, each.id])],
      last_update_time: now.toISOString(),
    };
    await this.#entities.save(...from.map((before) => ({ before, after: undefined })), { before: to, after });
  }

  async #parties(request: MergeRequest): Promise<{ to: Entity; from: Entity[] }> {
    const { to_entity_id, from_entity_ids, conflicting_alias_ids_to_keep } = request;
    if (to_entity_id === "") throw invalidRequest("missing entity id to merge to");
    const ids = new Set(from_entity_ids);
    if (ids.size === 0) throw invalidRequest("missing entity ids to merge from");
    const to = await this.#entities.get(to_entity_id);
    if (!to) throw invalidRequest("entity id to merge to is invalid");
    if (ids.has(to.id)) throw invalidRequest("to_entity_id should not be present in from_entity_ids");
    if (ids.size > 1 && conflicting_alias_ids_to_keep.length > 1) {
      throw invalidRequest(
        "aliases conflicts cannot be resolved with multiple from entity ids - merge one entity at a time",
      );
    }
    const from = await Promise.all([...ids].map((id) => this.#entities.get(id)));
    return { to, from: from.map((entity) => entity ?? refuseSource()) };
  }

  /** One for each mount: those of the target, and those of the others where the target has none. */
  async #aliases(to: Entity, from: readonly Entity[], request: MergeRequest): Promise<Alias[]> {
    const byMount = new Map<string, Held>(to.aliases.map((alias) => [alias.mount_accessor, { alias, owner: to }]));
    const clashes: Clash[] = [];
    for (const owner of from) {
      for (const alias of owner.aliases) {
        const kept = byMount.get(alias.mount_accessor);
        const coming = { alias: moved(alias, owner), owner };
        if (!kept || this.#isPreferred(coming, kept, to, request, clashes)) byMount.set(alias.mount_accessor, coming);
      }
    }
    if (clashes.length > 0) throw await this.#clashError(to, clashes);
    return [...byMount.values()].map(({ alias }) => alias);
  }

  #isPreferred(coming: Held, kept: Held, to: Entity, request: MergeRequest, clashes: Clash[]): boolean {
    const { conflicting_alias_ids_to_keep: wanted, force } = request;
    if (wanted.includes(kept.alias.id)) return false;
    if (wanted.includes(coming.alias.id)) return true;
    if (force) return false;
    if (kept.owner !== to) {
      throw invalidRequest(
        `mount accessor ${kept.alias.mount_accessor} found in multiple fromEntities, merge should be done with one fromEntity at a time`,
      );
    }
    if (wanted.length > 0) {
      throw invalidRequest(
        "conflicting mount accessors in following alias IDs and neither were present in " +
          `conflicting_alias_ids_to_keep: ${coming.alias.id}, ${kept.alias.id}`,
      );
    }
    clashes.push({ kept, coming });
    return false;
  }

  /** Tells both sides of every clash, so that whoever decides can see what there is to decide. */
  async #clashError(to: Entity, clashes: readonly Clash[]): Promise<ApiError> {
    const told = clashes.map(
      ({ kept, coming }) =>
        `mountAccessor: ${kept.alias.mount_accessor}, toEntity ID: ${to.id}, fromEntity ID: ${coming.owner.id}, ` +
        `conflicting toEntity alias ID: ${kept.alias.id}, conflicting fromEntity alias ID: ${coming.alias.id}`,
    );
    const opening =
      "toEntity and at least one fromEntity have aliases with the same mount accessor, " +
      "repeat the merge request specifying exactly one fromEntity, clashes: ";
    const sides = clashes.flatMap(({ kept, coming }) => [kept, coming]);
    return new ApiError(400, opening + told.join("; "), {
      data: await Promise.all(sides.map((side) => this.#told(side))),
    });
  }

  async #told({ alias, owner }: Held) {
    const mount = await this.#mounts.find(alias.mount_accessor);
    return {
      alias: alias.name,
      entity: owner.name,
      entity_id: owner.id,
      mount: mount?.type ?? "",
      mount_path: mount?.path ?? "",
    };
  }
}

const moved = (alias: Alias, from: Entity): Alias => ({
  ...alias,
  merged_from_canonical_ids: [...alias.merged_from_canonical_ids, from.id],
});

function refuseSource(): never {
  throw invalidRequest("entity id to merge from is invalid");
}
