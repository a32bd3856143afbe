/** Groups: of entities and of other groups. An external group's members are told by an auth method at login. */
import { Collection } from "../api/collection.ts";
import type { Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import type { Alias } from "./alias.ts";
import type { IdentityHost } from "./host.ts";
import { newId, randomName } from "./identifier.ts";
import { type Change, type Index, IndexedRecords } from "./indexed-records.ts";
import type { Metadata } from "./metadata.ts";
import { NameIndex } from "./name-index.ts";
import { aliasNameKey, isId, nameKey } from "./storage-name.ts";

export const groupTypes = ["internal", "external"] as const;
export type GroupType = (typeof groupTypes)[number];

/** Says nothing of member entities, so that nobody who is in the group notices when others join. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly type: GroupType;
  readonly metadata: Metadata;
  readonly policies: readonly string[];
  readonly member_group_ids: readonly string[];
  /** The other side of `member_group_ids`; both change together. */
  readonly parent_group_ids: readonly string[];
  readonly alias: Alias | null;
  readonly creation_time: string;
  readonly last_update_time: string;
  /** Grows with each change. */
  readonly modify_index: number;
}

interface AliasEntry {
  readonly group: string;
}

const prefix = "group/";
const namePrefix = "group-name/";
const aliasPrefix = "group-alias/";
const aliasNamePrefix = "group-alias-name/";

function indexOf({ id, name, alias }: Group): Index {
  const index = new Map<string, object>([[namePrefix + nameKey(name), { id, name }]]);
  if (!alias) return index;
  const entry: AliasEntry = { group: id };
  index.set(aliasPrefix + alias.id, entry);
  index.set(aliasNamePrefix + aliasNameKey(alias.mount_accessor, alias.name), entry);
  return index;
}

export class Groups {
  readonly #records: IndexedRecords<Group>;
  readonly #names: NameIndex;
  readonly #aliases: Collection<AliasEntry>;
  readonly #aliasNames: Collection<AliasEntry>;

  constructor(storage: Storage) {
    this.#records = new IndexedRecords(storage, prefix, indexOf);
    this.#names = new NameIndex(storage, namePrefix);
    this.#aliases = new Collection(storage, aliasPrefix);
    this.#aliasNames = new Collection(storage, aliasNamePrefix);
  }

  get(id: string): Promise<Group | undefined> {
    return this.#records.get(id);
  }

  async named(name: string): Promise<Group | undefined> {
    const id = await this.#names.idOf(name);
    return id === undefined ? undefined : this.get(id);
  }

  async withAlias(aliasId: string): Promise<AliasedGroup | undefined> {
    return isId(aliasId) ? this.#aliased(await this.#aliases.get(aliasId)) : undefined;
  }

  async withAliasNamed(mountAccessor: string, name: string): Promise<AliasedGroup | undefined> {
    return name.isWellFormed()
      ? this.#aliased(await this.#aliasNames.get(aliasNameKey(mountAccessor, name)))
      : undefined;
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
  async draft(type: GroupType, host: IdentityHost, now: Date, name = ""): Promise<Group> {
    return {
      id: newId(host),
      name: name === "" ? await this.#freeName(host) : name,
      type,
      metadata: {},
      policies: [],
      member_group_ids: [],
      parent_group_ids: [],
      alias: null,
      creation_time: now.toISOString(),
      last_update_time: now.toISOString(),
      modify_index: 0,
    };
  }

  save(...changes: Change<Group>[]): Promise<void> {
    return this.#records.save(
      changes.map(({ before, after }) => ({
        before,
        after: after && { ...after, modify_index: after.modify_index + 1 },
      })),
    );
  }

  async #freeName(host: IdentityHost): Promise<string> {
    for (;;) {
      const name = randomName("group", host);
      if ((await this.#names.idOf(name)) === undefined) return name;
    }
  }

  async #aliased(entry: AliasEntry | undefined): Promise<AliasedGroup | undefined> {
    const group = entry && (await this.get(entry.group));
    return group?.alias ? { group, alias: group.alias } : undefined;
  }
}

export interface AliasedGroup {
  readonly group: Group;
  readonly alias: Alias;
}
