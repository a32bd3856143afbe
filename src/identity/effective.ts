/** What an entity brings to a request: asked at each one, so everything comes from cached records. */
import type { Storage } from "../api/engine.ts";
import type { Alias } from "./alias.ts";
import { Entities, type Entity } from "./entity.ts";
import { type Group, Groups } from "./group.ts";
import { membershipOf } from "./membership.ts";
import type { Metadata } from "./metadata.ts";
import { mergedPolicies } from "./policy-names.ts";

export interface EffectiveIdentity {
  /** Its id is another one than was asked for when that one was merged into it. */
  readonly entity: { readonly id: string; readonly name: string; readonly disabled: boolean };
  /** Of the entity itself, its groups, and the groups that those are in. */
  readonly policies: readonly string[];
  /** For templates in policies. */
  view(now: Date): TemplateView;
}

export interface TemplateView {
  readonly entity: {
    readonly id: string;
    readonly name: string;
    readonly metadata: Metadata;
    /** By the accessor of the mount. */
    readonly aliases: Readonly<Record<string, Pick<Alias, "id" | "name" | "metadata" | "custom_metadata">>>;
  };
  readonly groups: {
    readonly ids: Readonly<Record<string, GroupView>>;
    readonly names: Readonly<Record<string, GroupView>>;
  };
  readonly now: Date;
}

type GroupView = Pick<Group, "id" | "name" | "metadata">;

/** Undefined when there is no such entity, and none that it was merged into. */
export async function effectiveIdentity(entityId: string, storage: Storage): Promise<EffectiveIdentity | undefined> {
  const entity = await new Entities(storage).current(entityId);
  if (!entity) return undefined;
  const { direct, inherited } = await membershipOf(entity, new Groups(storage));
  return remembered(entity, [...direct, ...inherited]);
}

export async function entityExists(entityId: string, storage: Storage): Promise<boolean> {
  return (await new Entities(storage).current(entityId)) !== undefined;
}

interface Remembered {
  readonly groups: readonly Group[];
  readonly effective: EffectiveIdentity;
}

/** By the cached record: another version of it is another object. */
const known = new WeakMap<Entity, Remembered>();

/** The same records make the same identity, so it is put together once for each version of them. */
function remembered(entity: Entity, groups: readonly Group[]): EffectiveIdentity {
  const last = known.get(entity);
  if (last && isSame(last.groups, groups)) return last.effective;
  const effective = effectiveOf(entity, groups);
  known.set(entity, { groups, effective });
  return effective;
}

const isSame = (one: readonly Group[], other: readonly Group[]) =>
  one.length === other.length && one.every((group, index) => group === other[index]);

function effectiveOf(entity: Entity, groups: readonly Group[]): EffectiveIdentity {
  let made: Omit<TemplateView, "now"> | undefined;
  return {
    entity,
    policies: Object.freeze(mergedPolicies([entity.policies, ...groups.map(({ policies }) => policies)])),
    view(now) {
      made ??= {
        entity: { ...entity, aliases: byKey(entity.aliases, ({ mount_accessor }) => mount_accessor) },
        groups: { ids: byKey(groups, ({ id }) => id), names: byKey(groups, ({ name }) => name) },
      };
      return { ...made, now };
    },
  };
}

const byKey = <T>(items: readonly T[], keyOf: (item: T) => string): Record<string, T> =>
  Object.fromEntries(items.map((item) => [keyOf(item), item]));
