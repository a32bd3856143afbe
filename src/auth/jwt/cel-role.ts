/** Roles whose rules are a program in the Common Expression Language. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { foldedName, isRoleName } from "../../api/role-name.ts";
import { compileNamed, type NamedExpression, type NamedProgram } from "../../lib/cel/named-program.ts";
import { jwtEnvironment } from "../../lib/cel/role-environments.ts";
import type { Leeways } from "./leeway.ts";

export interface CelProgram {
  readonly variables?: readonly NamedExpression[];
  readonly expression: string;
}

export interface CelRoleRecord extends Leeways {
  readonly name: string;
  readonly cel_program: CelProgram;
  /** What callers hear when the program refuses them; empty for the program's own words. */
  readonly message: string;
  readonly bound_audiences: readonly string[];
}

export interface CelRole extends CelRoleRecord {
  readonly program: NamedProgram;
}

const prefix = "cel-role/";

export class CelRoles {
  readonly #storage: Storage;
  readonly #records: Collection<CelRoleRecord>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#records = new Collection(storage, prefix);
  }

  /** By the name as it was written. */
  async find(name: string): Promise<CelRole | undefined> {
    return isRoleName(name) ? this.#storage.read(prefix + name, loaded) : undefined;
  }

  /** Logins may write a name in any case, if the role itself is written in lower case. */
  async findForLogin(name: string): Promise<CelRole | undefined> {
    return (await this.find(name)) ?? (await this.find(foldedName(name)));
  }

  save(record: CelRoleRecord): void {
    this.#records.put(record.name, record);
  }

  delete(name: string): void {
    if (isRoleName(name)) this.#records.delete(name);
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }
}

/** Kept beside the record for as long as it is current, so programs are compiled once. */
function loaded(bytes: Uint8Array): CelRole {
  const record = JSON.parse(Buffer.from(bytes).toString("utf8")) as CelRoleRecord;
  return { ...record, program: compileNamed(record.cel_program, jwtEnvironment) };
}
