/** Writes trees the way that the official vectors do: every node with its kind, or with its type and meaning. */
import type { Comprehension, Constant, Expression } from "../../src/lib/cel/ast.ts";
import type { Checked } from "../../src/lib/cel/checker.ts";
import { typeText } from "../../src/lib/cel/types.ts";
import { kindOf, Uint } from "../../src/lib/cel/values.ts";

type Adorn = (node: Expression | "entry") => string;

const constantKinds: Readonly<Record<string, string>> = {
  null: "NullValue",
  bool: "BoolValue",
  int: "Int64Value",
  uint: "Uint64Value",
  double: "DoubleValue",
  string: "StringValue",
  bytes: "BytesValue",
};

const nodeKinds: Readonly<Record<Exclude<Expression["kind"], "literal">, string>> = {
  identifier: "IdentExpr",
  select: "SelectExpr",
  call: "CallExpr",
  list: "ListExpr",
  map: "StructExpr",
  message: "StructExpr",
  comprehension: "ComprehensionExpr",
};

export function kindText(tree: Expression): string {
  return write(tree, (node) => {
    if (node === "entry") return "^#*expr.Expr_CreateStruct_Entry#";
    if (node.kind === "literal") return `^#*expr.Constant_${constantKinds[kindOf(node.value)]}#`;
    return `^#*expr.Expr_${nodeKinds[node.kind]}#`;
  });
}

export function checkedText(tree: Expression, checked: Checked): string {
  return write(
    tree,
    (node) => {
      if (node === "entry") return "";
      const type = checked.types.get(node);
      const reference = checked.references.get(node);
      const meaning = reference?.name ?? [...(reference?.overloads ?? [])].sort().join("|");
      return `~${type === undefined ? "?" : typeText(type)}${meaning === "" ? "" : `^${meaning}`}`;
    },
    checked,
  );
}

/** One line without spaces between parts: line breaks carry no meaning here. */
function write(node: Expression, adorn: Adorn, checked?: Checked): string {
  const inner = (each: Expression): string => write(each, adorn, checked);
  const all = (each: readonly Expression[]): string => each.map(inner).join(",");
  const named = checked?.references.get(node)?.name;
  const text = (): string => {
    switch (node.kind) {
      case "literal":
        return constantText(node.value);
      case "identifier":
        return named ?? node.name;
      case "select":
        return named ?? `${inner(node.operand)}.${node.field}${node.test ? "~test-only~" : ""}`;
      case "call": {
        // A function in a package swallows what stands before it.
        const isTarget = node.target !== undefined && (checked === undefined || checked.types.has(node.target));
        const prefix = node.target !== undefined && !isTarget ? `${plainName(node.target)}.` : "";
        return `${isTarget ? `${inner(node.target)}.` : prefix}${node.name}(${all(node.parameters)})`;
      }
      case "list":
        return `[${all(node.elements)}]`;
      case "map":
        return `{${node.entries.map(({ key, value }) => `${inner(key)}:${inner(value)}${adorn("entry")}`).join(",")}}`;
      case "message": {
        const entries = node.entries.map(({ field, value }) => `${field}:${inner(value)}${adorn("entry")}`);
        return `${named ?? node.name}{${entries.join(",")}}`;
      }
      case "comprehension":
        return comprehensionText(node, inner);
    }
  };
  return text() + adorn(node);
}

function comprehensionText(node: Comprehension, inner: (node: Expression) => string): string {
  const parts = [
    `//Variable${node.variable}`,
    `//Target${inner(node.range)}`,
    `//Accumulator${node.accumulator}`,
    `//Init${inner(node.init)}`,
    `//LoopCondition${inner(node.condition)}`,
    `//LoopStep${inner(node.step)}`,
    `//Result${inner(node.result)}`,
  ];
  return `__comprehension__(${parts.join(",")})`;
}

function plainName(node: Expression): string {
  if (node.kind === "identifier") return node.name;
  return node.kind === "select" ? `${plainName(node.operand)}.${node.field}` : "?";
}

function constantText(value: Constant): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (typeof value === "number") return doubleText(value);
  if (typeof value === "string") return comparable(JSON.stringify(value));
  if (value instanceof Uint8Array) return `b${comparable(JSON.stringify(Buffer.from(value).toString("latin1")))}`;
  return String(value);
}

function doubleText(value: number): string {
  if (Math.abs(value) < 1e6 && value !== 0) return String(value);
  return value === 0 ? (Object.is(value, -0) ? "-0" : "0") : value.toExponential().replace(/e\+([0-9])$/, "e+0$1");
}

/** Spaces are layout, and characters are escaped in several ways; so neither takes part in comparing. */
export const comparable = (text: string): string =>
  text.replaceAll(/\s+|\\[abfnrtv"\\]|\\[xuU][0-9a-fA-F]+|[^ -~]/g, "");
