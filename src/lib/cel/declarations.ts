/** How libraries declare functions: by a signature such as `list(A).slice(int, int) -> list(A)`, and what it does. */
import type { Expression } from "./ast.ts";
import type { Issue } from "./errors.ts";
import type { Meter } from "./limits.ts";
import type { Macro } from "./macro.ts";
import type { EnumType, MessageType } from "./message.ts";
import * as types from "./types.ts";
import { type Kind, kindOf, type Value } from "./values.ts";

/** Values are those of the overload's types. */
// biome-ignore lint/suspicious/noExplicitAny: the signature says which values come, which the type system cannot read.
export type Implementation = (meter: Meter, ...values: any[]) => Value;

export interface Overload {
  readonly id: string;
  readonly name: string;
  readonly isMethod: boolean;
  /** Of a method, the first is what stands before the dot. */
  readonly parameters: readonly types.Type[];
  readonly result: types.Type;
  /** Cheap tests of the parameters, in their order; undefined where any value will do. */
  readonly kinds: readonly (Kind | undefined)[];
  readonly evaluate: Implementation;
}

export type Validator = (call: Expression, typeOf: (node: Expression) => types.Type) => Issue | undefined;

export interface Library {
  readonly overloads: readonly Overload[];
  readonly macros?: readonly Macro[];
  readonly constants?: Readonly<Record<string, { readonly type: types.Type; readonly value: Value }>>;
  readonly messages?: readonly MessageType[];
  readonly enums?: readonly EnumType[];
  /** Looks at a call that type-checks otherwise. */
  readonly validate?: Validator;
}

export function overload(id: string, signature: string, evaluate: Implementation): Overload {
  const reader = new SignatureReader(signature);
  const read = reader.read();
  return { id, ...read, kinds: read.parameters.map(kindOfType), evaluate };
}

export function parseType(text: string): types.Type {
  return new SignatureReader(text).type();
}

const simpleNames = new Map<string, types.Type>([
  ["dyn", types.dyn],
  ["any", types.anyType],
  ["null", types.nullType],
  ["bool", types.bool],
  ["int", types.int],
  ["uint", types.uint],
  ["double", types.double],
  ["string", types.string],
  ["bytes", types.bytes],
  ["timestamp", types.timestamp],
  ["duration", types.duration],
]);

class SignatureReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Pick<Overload, "name" | "isMethod" | "parameters" | "result"> {
    // The name is the last word before the parameters; a type before it makes a method.
    const target = this.#startsWithType() ? this.type() : undefined;
    if (target !== undefined) this.#skip(".");
    const name = this.#word(/[^(]+/y);
    const parameters = target === undefined ? [] : [target];
    this.#skip("(");
    while (this.#text[this.#at] !== ")") {
      parameters.push(this.type());
      if (this.#text[this.#at] === ",") this.#at += 2;
    }
    this.#skip(") -> ");
    return { name, isMethod: target !== undefined, parameters, result: this.type() };
  }

  /** `string.size()` does, `math.abs(int)`, `string(int)` and `_+_(int, int)` do not. */
  #startsWithType(): boolean {
    const from = this.#at;
    const word = /[A-Za-z_]+/y.exec(this.#text)?.[0] ?? "";
    const isGeneric = ["list", "map", "type", "optional"].includes(word) && this.#text[word.length] === "(";
    if (!isGeneric && !simpleNames.has(word)) return false;
    this.type();
    const isTarget = this.#text[this.#at] === ".";
    this.#at = from;
    return isTarget;
  }

  type(): types.Type {
    const word = this.#word(/[A-Za-z_.]+?(?=[^A-Za-z_]|$)/y);
    const simple = simpleNames.get(word);
    if (simple !== undefined) return simple;
    if (/^[A-Z]$/.test(word)) return types.parameter(word);
    const parameters: types.Type[] = [];
    if (this.#text[this.#at] === "(") {
      do {
        this.#at += this.#text[this.#at] === "," ? 2 : 1;
        parameters.push(this.type());
      } while (this.#text[this.#at] === ",");
      this.#skip(")");
    }
    if (word === "list") return types.list(parameters[0]!);
    if (word === "map") return types.map(parameters[0]!, parameters[1]!);
    if (word === "type") return types.typeOf(parameters[0]);
    if (word === "optional") return types.optional(parameters[0]!);
    throw new Error(`unknown type ${word} in signature ${this.#text}`);
  }

  #word(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const word = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += word.length;
    return word;
  }

  #skip(expected: string): void {
    if (!this.#text.startsWith(expected, this.#at)) throw new Error(`expected ${expected} in signature ${this.#text}`);
    this.#at += expected.length;
  }
}

function kindOfType(type: types.Type): Kind | undefined {
  switch (type.kind) {
    case "dyn":
    case "any":
    case "error":
    case "parameter":
    case "wrapper":
      return undefined;
    case "opaque":
      return type.name === types.optionalTypeName ? "optional" : undefined;
    default:
      return type.kind;
  }
}

export const accepts = (overload: Overload, values: readonly Value[]): boolean =>
  overload.kinds.length === values.length &&
  overload.kinds.every((kind, index) => kind === undefined || kind === kindOf(values[index]!));
