/** What a template's text is parsed into. Every node knows its place, for messages. */

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly pipeline: Pipeline }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: readonly Node[] }
  | { readonly kind: "with"; readonly branches: readonly Branch[]; readonly otherwise: readonly Node[] }
  | {
      readonly kind: "range";
      readonly pipeline: Pipeline;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    }
  | { readonly kind: "break" }
  | { readonly kind: "continue" };

export interface Branch {
  readonly condition: Pipeline;
  readonly body: readonly Node[];
}

/** Commands joined by `|`, each given the value of the one before; perhaps kept under a name. */
export interface Pipeline {
  readonly at: number;
  readonly commands: readonly Command[];
  /** `$x :=`; a range may name two. */
  readonly declares: readonly string[];
  /** `$x =` */
  readonly assigns: string | undefined;
}

/** A function with its arguments, or one operand alone. */
export type Command =
  | {
      readonly kind: "call";
      readonly at: number;
      readonly text: string;
      readonly name: string;
      readonly operands: readonly Operand[];
    }
  | { readonly kind: "operand"; readonly at: number; readonly text: string; readonly operand: Operand };

export type Operand =
  | { readonly kind: "constant"; readonly at: number; readonly value: Constant }
  | { readonly kind: "path"; readonly at: number; readonly root: Root; readonly fields: readonly FieldName[] };

export type Constant = string | bigint | number | boolean | null;

/** What a chain of fields begins with: the current value, a variable, a function without arguments, or parentheses. */
export type Root =
  | { readonly kind: "current" }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "pipeline"; readonly pipeline: Pipeline };

export interface FieldName {
  readonly name: string;
  readonly at: number;
}
