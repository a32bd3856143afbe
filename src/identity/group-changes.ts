/** Creating, changing and deleting groups, with their members on both sides. */
import type { Storage } from "../api/engine.ts";
import { invalidRequest } from "../api/errors.ts";
import { inBatches } from "./batches.ts";
import type { Entities, Entity } from "./entity.ts";
import { type Group, type Groups, type GroupType, groupTypes } from "./group.ts";
import type { IdentityHost } from "./host.ts";
import type { Change } from "./indexed-records.ts";
import { membersChangedKey, membersOf } from "./members.ts";
import { checkMetadata, type Metadata } from "./metadata.ts";
import { checkedPolicies } from "./policy-names.ts";
import { requireStorable } from "./storage-name.ts";

/** Empty texts and what is undefined say nothing. */
export interface GroupRequest {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly policies?: readonly string[] | undefined;
  readonly member_group_ids?: readonly string[] | undefined;
  readonly member_entity_ids?: readonly string[] | undefined;
}

export class GroupChanges {
  readonly #groups: Groups;
  readonly #entities: Entities;
  readonly #storage: Storage;
  readonly #host: IdentityHost;

  constructor(groups: Groups, entities: Entities, storage: Storage, host: IdentityHost) {
    this.#groups = groups;
    this.#entities = entities;
    this.#storage = storage;
    this.#host = host;
  }

  async writeById(id: string, request: GroupRequest, now: Date): Promise<void> {
    const before = await this.#groups.get(id);
    if (!before) throw invalidRequest("invalid group ID");
    await this.#write(before, request, now);
  }

  /** Changes the group of that name, or makes a new one. Answers the new one only. */
  async writeByName(request: GroupRequest, now: Date): Promise<Group | undefined> {
    const before = await this.#groups.named(request.name ?? "");
    const after = await this.#write(before, request, now);
    return before ? undefined : after;
  }

  async delete(group: Group): Promise<void> {
    const members = await this.#membersToChange(group.id, []);
    const relatives = [
      ...(await this.#related(group.parent_group_ids, (parent) => without(parent, "member_group_ids", group.id))),
      ...(await this.#related(group.member_group_ids, (child) => without(child, "parent_group_ids", group.id))),
    ];
    await this.#groups.save({ before: group, after: undefined }, ...relatives);
    await this.#entities.save(...members);
    this.#storage.delete(membersChangedKey(group.id));
  }

  /** Everything is checked before anything is written. */
  async #write(before: Group | undefined, request: GroupRequest, now: Date): Promise<Group> {
    const type = typeOf(before, request.type ?? "");
    if (type === "external") refuseMembers(request);
    const { name = "", metadata, policies } = request;
    if (name !== "") await this.#requireFreeName(name, before);
    if (metadata) checkMetadata(metadata);
    const base = before ?? (await this.#groups.draft(type, this.#host, now, name));
    const after: Group = {
      ...base,
      name: name === "" ? base.name : name,
      metadata: metadata ?? base.metadata,
      policies: policies ? checkedPolicies(policies) : base.policies,
      member_group_ids: request.member_group_ids ? [...new Set(request.member_group_ids)] : base.member_group_ids,
      last_update_time: now.toISOString(),
    };
    const children = await this.#childrenToChange(base, after);
    const wanted = request.member_entity_ids;
    const members = wanted ? await this.#membersToChange(base.id, wanted) : [];
    await this.#groups.save({ before, after }, ...children);
    await this.#entities.save(...members);
    return after;
  }

  async #requireFreeName(name: string, group: Group | undefined): Promise<void> {
    requireStorable(name);
    const taken = await this.#groups.named(name);
    if (taken && taken.id !== group?.id) throw invalidRequest("group name is already in use");
  }

  async #childrenToChange(before: Group, after: Group): Promise<Change<Group>[]> {
    const added = after.member_group_ids.filter((id) => !before.member_group_ids.includes(id));
    const removed = before.member_group_ids.filter((id) => !after.member_group_ids.includes(id));
    if (added.length > 0) await this.#requireDescendants(added, after);
    return [
      ...(await this.#related(removed, (child) => without(child, "parent_group_ids", after.id))),
      ...(await this.#related(added, (child) => ({
        ...child,
        parent_group_ids: [...child.parent_group_ids, after.id],
      }))),
    ];
  }

  /** What is above a group cannot be a member of it. All that is read here stays as it is until the change is made. */
  async #requireDescendants(ids: readonly string[], group: Group): Promise<void> {
    const ancestors = await this.#ancestors(group);
    for (const id of ids) {
      const shown = JSON.stringify(id);
      if (id === group.id) throw invalidRequest(`member group ID ${shown} is same as the ID of the group`);
      if (!(await this.#groups.get(id))) throw invalidRequest(`invalid member group ID ${shown}`);
      if (ancestors.has(id)) throw invalidRequest(`cyclic relationship detected for member group ID ${shown}`);
    }
  }

  async #ancestors({ parent_group_ids }: Group): Promise<Set<string>> {
    const seen = new Set(parent_group_ids);
    for (const id of seen) for (const above of (await this.#groups.get(id))?.parent_group_ids ?? []) seen.add(above);
    return seen;
  }

  async #related(ids: readonly string[], edit: (group: Group) => Group): Promise<Change<Group>[]> {
    const found = await inBatches(ids, (id) => this.#groups.get(id));
    return found.flatMap((before) => (before ? [{ before, after: edit(before) }] : []));
  }

  /** What becomes of those who are in the group now, and of those who are wanted there. */
  async #membersToChange(group: string, wantedIds: readonly string[]): Promise<Change<Entity>[]> {
    const wanted = new Set(wantedIds);
    const current = new Set(await membersOf(group, this.#storage));
    const leaving = [...current].filter((id) => !wanted.has(id));
    const joining = [...wanted].filter((id) => !current.has(id));
    const gone = await inBatches(leaving, (id) => this.#entities.get(id));
    const added = await inBatches(joining, (id) => this.#requireEntity(id));
    return [
      ...gone.flatMap((before) => (before ? [{ before, after: withoutGroup(before, group) }] : [])),
      ...added.map((before) => ({ before, after: { ...before, group_ids: [...before.group_ids, group] } })),
    ];
  }

  async #requireEntity(id: string): Promise<Entity> {
    const entity = await this.#entities.get(id);
    if (!entity) throw invalidRequest(`invalid entity ID ${JSON.stringify(id)}`);
    return entity;
  }
}

function typeOf(before: Group | undefined, asked: string): GroupType {
  if (asked === "") return before?.type ?? "internal";
  if (before && asked !== before.type) throw invalidRequest("group type cannot be changed");
  const known = groupTypes.find((type) => type === asked);
  if (!known) throw invalidRequest(`invalid group type ${JSON.stringify(asked)}`);
  return known;
}

function refuseMembers({ member_entity_ids, member_group_ids }: GroupRequest): void {
  if (member_entity_ids) throw invalidRequest("member entities can't be set manually for external groups");
  if (member_group_ids) throw invalidRequest("member groups can't be set for external groups");
}

const without = (group: Group, side: "member_group_ids" | "parent_group_ids", id: string): Group => ({
  ...group,
  [side]: group[side].filter((each) => each !== id),
});

const withoutGroup = (entity: Entity, group: string): Entity => ({
  ...entity,
  group_ids: entity.group_ids.filter((id) => id !== group),
});
