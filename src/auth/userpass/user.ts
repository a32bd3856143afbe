/** Users with passwords, and what the handlers of this auth method work with. */
import { Collection } from "../../api/collection.ts";
import type { Mount } from "../../api/engine.ts";
import type { KeptTokenFields } from "../../api/kept-token-fields.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { Lockouts } from "../../api/lockout.ts";
import { foldedName, isRoleName } from "../../api/role-name.ts";
import { Passwords } from "./password.ts";

export interface User extends KeptTokenFields {
  readonly password_hash: string;
}

export class Users {
  readonly #users: Collection<User>;

  constructor(users: Collection<User>) {
    this.#users = users;
  }

  /** Undefined also for what can be nobody's name. */
  async find(username: string): Promise<User | undefined> {
    return isRoleName(username) ? this.#users.get(foldedName(username)) : undefined;
  }

  put(username: string, user: User): void {
    this.#users.put(username, user);
  }

  delete(username: string): void {
    this.#users.delete(username);
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#users.list(page);
  }
}

export interface UserpassServices {
  readonly users: Users;
  readonly passwords: Passwords;
  readonly lockouts: Lockouts;
}

export const userpassServices = ({ storage, host }: Mount): UserpassServices => ({
  users: new Users(new Collection<User>(storage, "user/")),
  passwords: new Passwords(host.random),
  lockouts: new Lockouts(storage, host.mount.lockout),
});
