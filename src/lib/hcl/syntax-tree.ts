/** What an HCL (or JSON) document is made of. Every node knows the line and column where it begins, counted from 1. */

export interface Position {
  readonly line: number;
  /** In UTF-16 units, as editors and JavaScript count. */
  readonly column: number;
}

/** `{ … }`, or the whole document. A key may appear any number of times; what that means is the reader's business. */
export interface Body {
  readonly kind: "object";
  readonly items: readonly Item[];
  readonly position: Position;
}

/** `key = value`, `key { … }` or `key "label" { … }`. Labels only ever stand before an object. */
export interface Item {
  readonly key: string;
  readonly labels: readonly Label[];
  readonly value: Value;
  readonly position: Position;
}

export interface Label {
  readonly text: string;
  readonly position: Position;
}

export type Value = Text | Numeral | Truth | Nothing | List | Body;

export interface Text {
  readonly kind: "string";
  readonly value: string;
  readonly position: Position;
}

export interface Numeral {
  readonly kind: "number";
  readonly value: number;
  /** As written: `0600`, `0x1f`, or an integer that a JavaScript number cannot hold. */
  readonly text: string;
  readonly position: Position;
}

export interface Truth {
  readonly kind: "boolean";
  readonly value: boolean;
  readonly position: Position;
}

/** Only JSON has it. */
export interface Nothing {
  readonly kind: "null";
  readonly position: Position;
}

export interface List {
  readonly kind: "list";
  readonly items: readonly Value[];
  readonly position: Position;
}

const descriptions = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  null: "null",
  list: "a list",
  object: "a block",
} satisfies Record<Value["kind"], string>;

/** For error texts: says what kind of value stands there without showing it, since it may be a secret. */
export const describeValue = (value: Value): string => descriptions[value.kind];
