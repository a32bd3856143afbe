/**
 * The entities in a group, a key for each: a group may have any number of members, and those who join at the same time
 * do not wait for one another. The record of the entity names its groups, and these keys follow from it.
 */
import type { Storage } from "../api/engine.ts";

const memberPrefix = (group: string) => `member/${group}/`;

export const memberKey = (group: string, entity: string): string => memberPrefix(group) + entity;

/** Written whenever somebody joins or leaves, and read by nobody but those who need all members at once. */
export const membersChangedKey = (group: string): string => `members-changed/${group}`;

/** All members. Whoever joins or leaves before this transaction commits makes it run again. */
export async function membersOf(group: string, storage: Storage): Promise<string[]> {
  await storage.get(membersChangedKey(group));
  return storage.list(memberPrefix(group));
}
