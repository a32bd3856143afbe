/** Who logs in: finds the entity that a mount calls by this name, or makes one at first sight. */
import type { Storage } from "../api/engine.ts";
import { invalidRequest } from "../api/errors.ts";
import { newAlias } from "./alias.ts";
import { Entities, type Entity } from "./entity.ts";
import { withAlias } from "./entity-aliases.ts";
import { Groups } from "./group.ts";
import type { IdentityHost } from "./host.ts";
import { KnownMounts } from "./known-mounts.ts";
import { type Metadata, sameMetadata } from "./metadata.ts";
import { requireWellFormed } from "./storage-name.ts";

export interface Login {
  readonly mountAccessor: string;
  /** What the auth method calls the one who logs in. */
  readonly aliasName: string;
  readonly metadata: Metadata;
  /** The groups that the auth method knows of; undefined if it does not speak of groups at all. */
  readonly groupAliases?: readonly string[] | undefined;
}

export interface LoginIdentity {
  readonly entityId: string;
  readonly created: boolean;
  readonly disabled: boolean;
}

/** Writes only what is new: a login like the one before changes nothing. A disabled entity is left as it is. */
export async function loginAlias(
  login: Login,
  storage: Storage,
  host: IdentityHost,
  now: Date,
): Promise<LoginIdentity> {
  if (login.aliasName === "") throw invalidRequest("the auth method gave no name for the entity alias");
  requireWellFormed(login.aliasName);
  const entities = new Entities(storage);
  const owner = await entities.withAliasNamed(login.mountAccessor, login.aliasName);
  if (owner?.entity.disabled) return { entityId: owner.entity.id, created: false, disabled: true };
  const before = owner?.entity;
  const known = owner
    ? refreshed(owner.entity, owner.alias, login.metadata, now)
    : await firstSeen(login, entities, host, now);
  const after = await withGroups(known, login, storage);
  if (after !== before) await entities.save({ before, after });
  return { entityId: after.id, created: !before, disabled: false };
}

/** What an auth method tells of groups when it renews a token. */
export async function refreshGroups(
  entityId: string,
  groups: Pick<Login, "mountAccessor" | "groupAliases">,
  storage: Storage,
): Promise<void> {
  const entities = new Entities(storage);
  const before = await entities.current(entityId);
  const after = before && (await withGroups(before, groups, storage));
  if (after !== before) await entities.save({ before, after });
}

function refreshed(entity: Entity, alias: Entity["aliases"][number], metadata: Metadata, now: Date): Entity {
  if (sameMetadata(alias.metadata, metadata)) return entity;
  return withAlias(entity, { ...alias, metadata, last_update_time: now.toISOString() });
}

async function firstSeen(login: Login, entities: Entities, host: IdentityHost, now: Date): Promise<Entity> {
  const { mountAccessor: mount_accessor, aliasName: name, metadata } = login;
  const { local } = await new KnownMounts(host).require(mount_accessor);
  const entity = await entities.draft(host, now);
  return { ...entity, aliases: [newAlias({ name, mount_accessor, metadata, local }, host, now)] };
}

/** External groups of this mount are what it says now; those of other mounts are not its business. */
async function withGroups(
  entity: Entity,
  { mountAccessor, groupAliases }: Pick<Login, "mountAccessor" | "groupAliases">,
  storage: Storage,
): Promise<Entity> {
  if (!groupAliases) return entity;
  const groups = new Groups(storage);
  const told = await Promise.all(groupAliases.map((name) => groups.withAliasNamed(mountAccessor, name)));
  const wanted = new Set(told.flatMap((found) => (found ? [found.group.id] : [])));
  const current = await Promise.all(entity.group_ids.map((id) => groups.get(id)));
  const left = current.filter((group) => {
    if (group?.type !== "external" || wanted.has(group.id)) return false;
    return group.alias === null || group.alias.mount_accessor === mountAccessor;
  });
  const kept = entity.group_ids.filter((id) => !left.some((group) => group?.id === id));
  const joined = [...wanted].filter((id) => !entity.group_ids.includes(id));
  return left.length + joined.length === 0 ? entity : { ...entity, group_ids: [...kept, ...joined] };
}
