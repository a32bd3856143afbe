/** What the handlers under `identity/` work with, in one transaction. */
import type { Storage } from "../api/engine.ts";
import { Entities } from "./entity.ts";
import { EntityAliases } from "./entity-aliases.ts";
import { EntityChanges } from "./entity-changes.ts";
import { EntityMerge } from "./entity-merge.ts";
import { Groups } from "./group.ts";
import { GroupAliases } from "./group-aliases.ts";
import { GroupChanges } from "./group-changes.ts";
import type { IdentityHost } from "./host.ts";
import { KnownMounts } from "./known-mounts.ts";

export class IdentityServices {
  readonly storage: Storage;
  readonly host: IdentityHost;
  readonly mounts: KnownMounts;
  readonly entities: Entities;
  readonly entityChanges: EntityChanges;
  readonly entityMerge: EntityMerge;
  readonly entityAliases: EntityAliases;
  readonly groups: Groups;
  readonly groupChanges: GroupChanges;
  readonly groupAliases: GroupAliases;

  constructor(storage: Storage, host: IdentityHost) {
    this.storage = storage;
    this.host = host;
    this.mounts = new KnownMounts(host);
    this.entities = new Entities(storage);
    this.entityChanges = new EntityChanges(this.entities, host);
    this.entityMerge = new EntityMerge(this.entities, this.mounts);
    this.entityAliases = new EntityAliases(this.entities, this.mounts, host);
    this.groups = new Groups(storage);
    this.groupChanges = new GroupChanges(this.groups, this.entities, storage, host);
    this.groupAliases = new GroupAliases(this.groups, this.mounts, host);
  }
}
