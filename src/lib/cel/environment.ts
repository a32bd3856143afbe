/** What programs may refer to: variables, functions, constants and messages; and the way from a text to its result. */
import type { Expression } from "./ast.ts";
import { type Checked, checkTree } from "./checker.ts";
import { compile, type Program } from "./compiler.ts";
import type { Library, Overload, Validator } from "./declarations.ts";
import { ProgramError } from "./errors.ts";
import { standardLibrary } from "./library/standard.ts";
import type { ParseLimits } from "./limits.ts";
import { type Macro, macroTable } from "./macro.ts";
import type { EnumType, MessageType } from "./message.ts";
import { parse } from "./parser.ts";
import { Source } from "./source.ts";
import * as types from "./types.ts";
import { TypeValue, type Value } from "./values.ts";
import { type Unpack, wellKnownTypes } from "./well-known.ts";

export interface EnvironmentOptions {
  /** Names are looked up in this package and those around it first. */
  readonly container?: string;
  /** Beside the standard library. */
  readonly libraries?: readonly Library[];
  readonly variables?: Readonly<Record<string, types.Type>>;
  readonly messages?: readonly MessageType[];
  readonly enums?: readonly EnumType[];
  /** The branches of `?:` may have different types; the result is then `dyn`. */
  readonly looseTernary?: boolean;
  readonly optionalSyntax?: boolean;
  readonly parseLimits?: ParseLimits;
  /** How to read what a `google.protobuf.Any` holds. */
  readonly unpack?: Unpack;
}

export interface Ast {
  readonly source: Source;
  readonly tree: Expression;
}

export interface NamedConstant {
  readonly type: types.Type;
  readonly value: Value;
}

export class Environment {
  readonly container: string;
  readonly looseTernary: boolean;
  readonly variables: ReadonlyMap<string, types.Type>;
  readonly constants: ReadonlyMap<string, NamedConstant>;
  readonly messages: ReadonlyMap<string, MessageType>;
  /** By name. */
  readonly overloads: ReadonlyMap<string, readonly Overload[]>;
  readonly #options: EnvironmentOptions;
  readonly #declared: Declarations;

  constructor(options: EnvironmentOptions = {}, declared: Declarations = readLibraries(options)) {
    this.#options = options;
    this.#declared = declared;
    this.container = options.container ?? "";
    this.looseTernary = options.looseTernary ?? false;
    this.variables = new Map(Object.entries(options.variables ?? {}));
    this.constants = declared.constants;
    this.messages = declared.messages;
    this.overloads = declared.overloads;
  }

  /** The same with more variables. */
  extend(variables: Readonly<Record<string, types.Type>>): Environment {
    const options = { ...this.#options, variables: { ...this.#options.variables, ...variables } };
    return new Environment(options, this.#declared);
  }

  /** Throws `ProgramError`. */
  parse(text: string): Ast {
    const source = new Source(text);
    const { parseLimits: limits, optionalSyntax = false } = this.#options;
    const options = { macros: this.#declared.macros, optionalSyntax, ...(limits !== undefined && { limits }) };
    return { source, tree: parse(source, options) };
  }

  /** Throws `ProgramError`. */
  check(ast: Ast): Checked {
    const { issues, ...checked } = checkTree(ast.tree, this, this.#declared.validators);
    if (issues.length > 0) throw new ProgramError(ast.source, issues);
    return checked;
  }

  /** A program need not be checked: types that do not fit are then found when it runs. */
  program(ast: Ast): Program {
    return compile(ast.tree, this);
  }

  /** Full names that a name may stand for, nearest first. */
  candidates(name: string): string[] {
    if (name.startsWith(".")) return [name.slice(1)];
    const found: string[] = [];
    for (let prefix = this.container; prefix !== ""; prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf(".")))) {
      found.push(`${prefix}.${name}`);
    }
    found.push(name);
    return found;
  }
}

/** What the libraries bring, in the form in which it is looked up. */
interface Declarations {
  readonly macros: ReadonlyMap<string, Macro>;
  readonly validators: readonly Validator[];
  readonly overloads: ReadonlyMap<string, readonly Overload[]>;
  readonly messages: ReadonlyMap<string, MessageType>;
  readonly constants: ReadonlyMap<string, NamedConstant>;
}

function readLibraries(options: EnvironmentOptions): Declarations {
  const libraries = [standardLibrary, ...(options.libraries ?? [])];
  const messages = [
    ...wellKnownTypes(options.unpack),
    ...libraries.flatMap((library) => library.messages ?? []),
    ...(options.messages ?? []),
  ];
  const enums = [...libraries.flatMap((library) => library.enums ?? []), ...(options.enums ?? [])];
  return {
    macros: macroTable(libraries.flatMap(({ macros }) => macros ?? [])),
    validators: libraries.flatMap(({ validate }) => validate ?? []),
    overloads: Map.groupBy(
      libraries.flatMap(({ overloads }) => overloads),
      ({ name }) => name,
    ),
    messages: new Map(messages.map((message) => [message.name, message])),
    constants: constantsOf(libraries, messages, enums),
  };
}

function constantsOf(
  libraries: readonly Library[],
  messages: readonly MessageType[],
  enums: readonly EnumType[],
): Map<string, NamedConstant> {
  const constants = new Map<string, NamedConstant>();
  for (const { name, wellKnown } of messages) {
    const type = wellKnown?.type ?? types.message(name);
    constants.set(name, { type: types.typeOf(type), value: new TypeValue(name, type) });
  }
  for (const { name, values } of enums) {
    for (const [key, value] of Object.entries(values)) {
      constants.set(`${name}.${key}`, { type: types.int, value: BigInt(value) });
    }
  }
  for (const library of libraries) {
    for (const [name, constant] of Object.entries(library.constants ?? {})) constants.set(name, constant);
  }
  return constants;
}
