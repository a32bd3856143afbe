/** Creating, changing, moving and deleting the names that auth methods have for external groups. */
import { invalidRequest } from "../api/errors.ts";
import { type Alias, newAlias } from "./alias.ts";
import type { SavedAlias } from "./entity-aliases.ts";
import type { AliasedGroup, Group, Groups } from "./group.ts";
import type { IdentityHost } from "./host.ts";
import type { KnownMounts } from "./known-mounts.ts";
import { requireWellFormed } from "./storage-name.ts";

/** Empty texts say nothing. */
export interface GroupAliasRequest {
  readonly id: string;
  readonly name: string;
  readonly mount_accessor: string;
  /** Of the group. */
  readonly canonical_id: string;
}

export class GroupAliases {
  readonly #groups: Groups;
  readonly #mounts: KnownMounts;
  readonly #host: IdentityHost;

  constructor(groups: Groups, mounts: KnownMounts, host: IdentityHost) {
    this.#groups = groups;
    this.#mounts = mounts;
    this.#host = host;
  }

  /** A group has one: a new one takes the place of the one before. Undefined when there was nothing to change. */
  async write(request: GroupAliasRequest, now: Date): Promise<SavedAlias | undefined> {
    const current = request.id === "" ? undefined : await this.#groups.withAlias(request.id);
    if (request.id !== "" && !current) throw invalidRequest("invalid group alias ID");
    const name = request.name || current?.alias.name;
    const mount_accessor = request.mount_accessor || current?.alias.mount_accessor;
    if (!name) throw invalidRequest("missing alias name");
    if (!mount_accessor) throw invalidRequest("missing mount_accessor");
    requireWellFormed(name);
    const alias = current
      ? { ...current.alias, name, mount_accessor, last_update_time: now.toISOString() }
      : newAlias({ name, mount_accessor }, this.#host, now);
    const isMoving = request.canonical_id !== "" && request.canonical_id !== current?.group.id;
    if (current && !isMoving && isSame(current.alias, alias)) return undefined;
    const to = isMoving ? await this.#target(request.canonical_id) : current?.group;
    await this.#requireUsable(alias);
    return this.#save(alias, current, to, now);
  }

  /** What is not there is gone already. Members stay until they log in again. */
  async delete(id: string): Promise<void> {
    const found = await this.#groups.withAlias(id);
    if (found) await this.#groups.save({ before: found.group, after: { ...found.group, alias: null } });
  }

  async #save(alias: Alias, current: AliasedGroup | undefined, to: Group | undefined, now: Date): Promise<SavedAlias> {
    const group = to ?? (await this.#groups.draft("external", this.#host, now));
    const from = current && current.group.id !== group.id ? current.group : undefined;
    await this.#groups.save(...(from ? [{ before: from, after: { ...from, alias: null } }] : []), {
      before: to,
      after: { ...group, alias },
    });
    return { id: alias.id, canonical_id: group.id };
  }

  async #target(id: string): Promise<Group> {
    const group = await this.#groups.get(id);
    if (!group) throw invalidRequest("invalid group ID given in 'canonical_id'");
    if (group.type !== "external") throw invalidRequest("alias can't be set on an internal group");
    return group;
  }

  async #requireUsable({ id, mount_accessor, name }: Alias): Promise<void> {
    const mount = await this.#mounts.require(mount_accessor);
    if (mount.local) throw invalidRequest(`mount accessor ${JSON.stringify(mount_accessor)} is a local mount`);
    const taken = await this.#groups.withAliasNamed(mount_accessor, name);
    if (taken && taken.alias.id !== id) {
      throw invalidRequest("combination of mount and group alias name is already in use");
    }
  }
}

const isSame = (one: Alias, other: Alias): boolean =>
  one.name === other.name && one.mount_accessor === other.mount_accessor;
