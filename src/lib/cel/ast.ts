/** The tree that a text is parsed into. Positions are offsets into the text, where an error about the node points to. */
import type { Uint } from "./values.ts";

export type Constant = null | boolean | bigint | Uint | number | string | Uint8Array;

export interface Literal {
  readonly kind: "literal";
  readonly position: number;
  readonly value: Constant;
}

export interface Identifier {
  readonly kind: "identifier";
  readonly position: number;
  /** A leading dot makes the name absolute: the container is not asked. */
  readonly name: string;
}

export interface Select {
  readonly kind: "select";
  readonly position: number;
  readonly operand: Expression;
  readonly field: string;
  /** Whether there is such a field, instead of its value: `has(a.b)`. */
  readonly test: boolean;
}

export interface Call {
  readonly kind: "call";
  readonly position: number;
  readonly name: string;
  readonly target: Expression | undefined;
  readonly parameters: readonly Expression[];
}

export interface List {
  readonly kind: "list";
  readonly position: number;
  readonly elements: readonly Expression[];
  /** Indices of elements written with a question mark: left out when they have no value. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly position: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapLiteral {
  readonly kind: "map";
  readonly position: number;
  readonly entries: readonly MapEntry[];
}

export interface FieldEntry {
  readonly position: number;
  readonly field: string;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MessageLiteral {
  readonly kind: "message";
  readonly position: number;
  readonly name: string;
  readonly entries: readonly FieldEntry[];
}

/**
 * A macro in its official form: a fold with accumulator, as the type checker wants it. `loop` says in short what
 * it amounts to, which is what runs; `call` is how it was written.
 */
export interface Comprehension {
  readonly kind: "comprehension";
  readonly position: number;
  readonly variable: string;
  readonly secondVariable: string | undefined;
  readonly range: Expression;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
  readonly loop: Loop;
  readonly call: Call;
}

export type Loop =
  | { readonly kind: "all" | "exists" | "existsOne"; readonly test: Expression }
  | { readonly kind: "list"; readonly test: Expression | undefined; readonly element: Expression }
  | { readonly kind: "values"; readonly test: Expression | undefined; readonly value: Expression }
  | { readonly kind: "entries"; readonly test: Expression | undefined; readonly entry: Expression }
  | { readonly kind: "bind" };

export type Expression = Literal | Identifier | Select | Call | List | MapLiteral | MessageLiteral | Comprehension;

/** Functions that are written as operators go by these names everywhere: in trees, declarations and messages. */
export const operators = {
  conditional: "_?_:_",
  or: "_||_",
  and: "_&&_",
  not: "!_",
  negate: "-_",
  equal: "_==_",
  notEqual: "_!=_",
  less: "_<_",
  lessOrEqual: "_<=_",
  greater: "_>_",
  greaterOrEqual: "_>=_",
  in: "@in",
  add: "_+_",
  subtract: "_-_",
  multiply: "_*_",
  divide: "_/_",
  modulo: "_%_",
  index: "_[_]",
  optionalIndex: "_[?_]",
  optionalSelect: "_?._",
  notStrictlyFalse: "@not_strictly_false",
} as const;
