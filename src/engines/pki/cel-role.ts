/** Roles that are programs: they see the whole request, and say what to issue, or why not. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { EvaluationError } from "../../lib/cel/errors.ts";
import { compileNamed, type NamedProgram } from "../../lib/cel/named-program.ts";
import { pkiEnvironment } from "../../lib/cel/role-environments.ts";
import { isName, requireName } from "./name.ts";

export interface CelProgram {
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly expression: string;
}

export interface CelRole {
  readonly name: string;
  readonly cel_program: CelProgram;
}

export class CelRoles {
  readonly #storage: Storage;
  readonly #roles: Collection<CelRole>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#roles = new Collection(storage, "cel-role/");
  }

  async find(name: string): Promise<CelRole | undefined> {
    return isName(name) ? this.#roles.get(name) : undefined;
  }

  /** Compiled once for each version of the role. */
  async program(name: string): Promise<NamedProgram | undefined> {
    return isName(name) ? this.#storage.read(`cel-role/${name}`, parseProgram) : undefined;
  }

  put(role: CelRole): void {
    this.#roles.put(requireName("a CEL role", role.name), role);
  }

  delete(name: string): void {
    if (isName(name)) this.#roles.delete(name);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#roles.list(page);
  }
}

function parseProgram(bytes: Uint8Array): NamedProgram {
  const { cel_program } = JSON.parse(Buffer.from(bytes).toString("utf8")) as CelRole;
  return compileNamed(cel_program, pkiEnvironment);
}

/** Throws what is wrong with the program, and where. */
export function requireProgram(program: CelProgram): void {
  try {
    compileNamed(program, pkiEnvironment);
  } catch (error) {
    if (error instanceof EvaluationError) throw invalidRequest(error.message);
    throw error;
  }
}
