/** The groups that an entity is in: its own, and those that they are in. */
import type { Entity } from "./entity.ts";
import type { Group, Groups } from "./group.ts";

export interface Membership {
  readonly direct: readonly Group[];
  /** Groups that have one of the others as a member. */
  readonly inherited: readonly Group[];
}

export async function membershipOf({ group_ids }: Entity, groups: Groups): Promise<Membership> {
  const direct = await existing(group_ids, groups);
  const seen = new Set(group_ids);
  const inherited: Group[] = [];
  for (let level: readonly Group[] = direct; level.length > 0; ) {
    const above = new Set<string>();
    for (const { parent_group_ids } of level) for (const id of parent_group_ids) if (!seen.has(id)) above.add(id);
    for (const id of above) seen.add(id);
    level = await existing([...above], groups);
    inherited.push(...level);
  }
  return { direct, inherited };
}

async function existing(ids: readonly string[], groups: Groups): Promise<Group[]> {
  if (ids.length === 0) return [];
  const found = await Promise.all(ids.map((id) => groups.get(id)));
  return found.filter((group) => group !== undefined);
}
