/** Roles of machines: what proves that somebody is one, and what their tokens are like. */
import { hash } from "node:crypto";
import { Collection } from "../../api/collection.ts";
import type { Random, Storage } from "../../api/engine.ts";
import { invalidRequest, notFound } from "../../api/errors.ts";
import { type KeptTokenFields, plainKeptTokenFields } from "../../api/kept-token-fields.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { foldedName, isRoleName } from "../../api/role-name.ts";
import { randomHex } from "../../lib/random-name.ts";

export interface RoleSettings extends KeptTokenFields {
  readonly bind_secret_id: boolean;
  readonly secret_id_bound_cidrs: readonly string[];
  readonly secret_id_num_uses: number;
  /** Seconds; 0 for secret ids that do not expire. */
  readonly secret_id_ttl: number;
  readonly local_secret_ids: boolean;
}

export interface Role extends RoleSettings {
  readonly name: string;
  readonly role_id: string;
  /** Where its secret ids are kept. A role made anew under an old name has another one, and none of the old ids. */
  readonly folder: string;
  /** Secret ids are kept as hashes under this key only. */
  readonly hash_key: string;
}

const newSettings: RoleSettings = {
  ...plainKeptTokenFields,
  bind_secret_id: true,
  secret_id_bound_cidrs: [],
  secret_id_num_uses: 0,
  secret_id_ttl: 0,
  local_secret_ids: false,
};

export const newRole = (name: string, role_id: string, random: Random): Role => ({
  ...newSettings,
  name,
  role_id,
  folder: randomHex(16, random),
  hash_key: randomHex(32, random),
});

export class Roles {
  readonly #roles: Collection<Role>;
  /** Which role has a role id. By hash, since a role id may be any text. */
  readonly #names: Collection<{ readonly name: string }>;

  constructor(storage: Storage) {
    this.#roles = new Collection(storage, "role/");
    this.#names = new Collection(storage, "role-id/");
  }

  /** Undefined also for what can be no role's name. */
  async find(name: string): Promise<Role | undefined> {
    return isRoleName(name) ? this.#roles.get(foldedName(name)) : undefined;
  }

  async require(name: string): Promise<Role> {
    const role = await this.find(name);
    if (!role) throw notFound(`role ${JSON.stringify(name)} does not exist`);
    return role;
  }

  async withRoleId(roleId: string): Promise<Role | undefined> {
    const found = await this.#names.get(keyOf(roleId));
    return found && this.#roles.get(found.name);
  }

  async save(role: Role, before?: Role): Promise<void> {
    if (role.role_id !== before?.role_id) {
      if (await this.#names.has(keyOf(role.role_id))) throw invalidRequest("role_id already in use");
      this.#names.put(keyOf(role.role_id), { name: role.name });
      if (before) this.#names.delete(keyOf(before.role_id));
    }
    this.#roles.put(role.name, role);
  }

  delete(role: Role): void {
    this.#names.delete(keyOf(role.role_id));
    this.#roles.delete(role.name);
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#roles.list(page);
  }
}

const keyOf = (roleId: string): string => hash("sha256", roleId, "hex");
