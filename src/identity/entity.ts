/** Entities: people and machines, whatever mounts call them. */
import { Collection, recordBytes } from "../api/collection.ts";
import type { Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import type { Alias } from "./alias.ts";
import type { IdentityHost } from "./host.ts";
import { newId, randomName } from "./identifier.ts";
import { type Change, type Index, IndexedRecords } from "./indexed-records.ts";
import { memberKey, membersChangedKey } from "./members.ts";
import type { Metadata } from "./metadata.ts";
import { NameIndex } from "./name-index.ts";
import { aliasNameKey, isId, nameKey } from "./storage-name.ts";

export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  readonly policies: readonly string[];
  /** Its tokens are refused for as long as it is. */
  readonly disabled: boolean;
  /** One for each mount at most. */
  readonly aliases: readonly Alias[];
  /** The groups that it is a direct member of: one read tells them all, however many members those have. */
  readonly group_ids: readonly string[];
  /** Entities that became this one: their tokens go on as tokens of this one. */
  readonly merged_entity_ids: readonly string[];
  readonly creation_time: string;
  readonly last_update_time: string;
}

/** Under `alias/<id>` and, with the id of the alias, under `alias-name/<hash of mount and name>`. */
interface AliasEntry {
  readonly entity: string;
  readonly alias: string;
}

const prefix = "entity/";
const namePrefix = "entity-name/";
const aliasPrefix = "alias/";
const aliasNamePrefix = "alias-name/";
const mergedPrefix = "merged/";

function indexOf(entity: Entity): Index {
  const { id, name } = entity;
  const index = new Map<string, object>([[namePrefix + nameKey(name), { id, name }]]);
  for (const alias of entity.aliases) {
    const entry: AliasEntry = { entity: id, alias: alias.id };
    index.set(aliasPrefix + alias.id, entry);
    index.set(aliasNamePrefix + aliasNameKey(alias.mount_accessor, alias.name), entry);
  }
  for (const merged of entity.merged_entity_ids) index.set(mergedPrefix + merged, { entity: id });
  for (const group of entity.group_ids) index.set(memberKey(group, id), {});
  return index;
}

export class Entities {
  readonly #storage: Storage;
  readonly #records: IndexedRecords<Entity>;
  readonly #names: NameIndex;
  readonly #aliases: Collection<AliasEntry>;
  readonly #aliasNames: Collection<AliasEntry>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#records = new IndexedRecords(storage, prefix, indexOf);
    this.#names = new NameIndex(storage, namePrefix);
    this.#aliases = new Collection(storage, aliasPrefix);
    this.#aliasNames = new Collection(storage, aliasNamePrefix);
  }

  get(id: string): Promise<Entity | undefined> {
    return this.#records.get(id);
  }

  /** Also by the id of one that was merged into it. */
  async current(id: string): Promise<Entity | undefined> {
    const entity = await this.get(id);
    if (entity || !isId(id)) return entity;
    const merged = await new Collection<{ entity: string }>(this.#storage, mergedPrefix).get(id);
    return merged && this.get(merged.entity);
  }

  async named(name: string): Promise<Entity | undefined> {
    const id = await this.#names.idOf(name);
    return id === undefined ? undefined : this.get(id);
  }

  async withAlias(aliasId: string): Promise<AliasOwner | undefined> {
    return isId(aliasId) ? this.#owner(await this.#aliases.get(aliasId)) : undefined;
  }

  async withAliasNamed(mountAccessor: string, name: string): Promise<AliasOwner | undefined> {
    return name.isWellFormed() ? this.#owner(await this.#aliasNames.get(aliasNameKey(mountAccessor, name))) : undefined;
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }

  names(page: PageRequest): Promise<string[]> {
    return this.#names.names(page);
  }

  aliasIds(page: PageRequest): Promise<string[]> {
    return this.#aliases.list(page);
  }

  /** A new one, not saved yet; it gets a name if it has none. */
  async draft(host: IdentityHost, now: Date, name = ""): Promise<Entity> {
    return {
      id: newId(host),
      name: name === "" ? await this.#freeName(host) : name,
      metadata: {},
      policies: [],
      disabled: false,
      aliases: [],
      group_ids: [],
      merged_entity_ids: [],
      creation_time: now.toISOString(),
      last_update_time: now.toISOString(),
    };
  }

  async save(...changes: Change<Entity>[]): Promise<void> {
    await this.#records.save(changes);
    for (const group of changedGroups(changes)) this.#storage.put(membersChangedKey(group), recordBytes({}));
  }

  async #freeName(host: IdentityHost): Promise<string> {
    for (;;) {
      const name = randomName("entity", host);
      if ((await this.#names.idOf(name)) === undefined) return name;
    }
  }

  async #owner(entry: AliasEntry | undefined): Promise<AliasOwner | undefined> {
    const entity = entry && (await this.get(entry.entity));
    const alias = entity?.aliases.find(({ id }) => id === entry!.alias);
    return entity && alias && { entity, alias };
  }
}

export interface AliasOwner {
  readonly entity: Entity;
  readonly alias: Alias;
}

function changedGroups(changes: readonly Change<Entity>[]): Set<string> {
  const changed = new Set<string>();
  for (const { before, after } of changes) {
    const old = before?.group_ids ?? [];
    const now = after?.group_ids ?? [];
    for (const group of old) if (!now.includes(group)) changed.add(group);
    for (const group of now) if (!old.includes(group)) changed.add(group);
  }
  return changed;
}
