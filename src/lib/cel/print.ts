/** Writes a tree as text that parses to the same tree. */
import { type Call, type Constant, type Expression, operators } from "./ast.ts";
import { Uint } from "./values.ts";

const binary: ReadonlyMap<string, string> = new Map([
  [operators.or, "||"],
  [operators.and, "&&"],
  [operators.equal, "=="],
  [operators.notEqual, "!="],
  [operators.less, "<"],
  [operators.lessOrEqual, "<="],
  [operators.greater, ">"],
  [operators.greaterOrEqual, ">="],
  [operators.in, "in"],
  [operators.add, "+"],
  [operators.subtract, "-"],
  [operators.multiply, "*"],
  [operators.divide, "/"],
  [operators.modulo, "%"],
]);

/** What a macro became that has no other way of being written. */
const macroNames: ReadonlyMap<string, string> = new Map([
  ["math.@max", "math.greatest"],
  ["math.@min", "math.least"],
]);

export function print(node: Expression): string {
  switch (node.kind) {
    case "literal":
      return printConstant(node.value);
    case "identifier":
      return node.name;
    case "select": {
      const selection = `${printOperand(node.operand)}.${printField(node.field)}`;
      return node.test ? `has(${selection})` : selection;
    }
    case "call":
      return printCall(node);
    case "list":
      return `[${node.elements.map((each, index) => mark(node.optional.has(index)) + print(each)).join(", ")}]`;
    case "map": {
      const entries = node.entries.map(({ key, value, optional }) => `${mark(optional)}${print(key)}: ${print(value)}`);
      return `{${entries.join(", ")}}`;
    }
    case "message": {
      const entries = node.entries.map(
        ({ field, value, optional }) => `${mark(optional)}${printField(field)}: ${print(value)}`,
      );
      return `${node.name}{${entries.join(", ")}}`;
    }
    case "comprehension":
      return printCall(node.call);
  }
}

const mark = (isOptional: boolean): string => (isOptional ? "?" : "");

const printAll = (nodes: readonly Expression[]): string => nodes.map(print).join(", ");

function printCall({ name, target, parameters }: Call): string {
  if (target !== undefined) return `${printOperand(target)}.${name}(${printAll(parameters)})`;
  const [first, second, third] = parameters;
  const symbol = binary.get(name);
  if (symbol !== undefined) return `${printOperand(first!)} ${symbol} ${printOperand(second!)}`;
  switch (name) {
    case operators.not:
      return `!${printOperand(first!)}`;
    case operators.negate:
      return `-${printOperand(first!)}`;
    case operators.conditional:
      return `${printOperand(first!)} ? ${printOperand(second!)} : ${printOperand(third!)}`;
    case operators.index:
      return `${printOperand(first!)}[${print(second!)}]`;
    case operators.optionalIndex:
      return `${printOperand(first!)}[?${print(second!)}]`;
    case operators.optionalSelect:
      return `${printOperand(first!)}.?${printField(second!.kind === "literal" ? String(second!.value) : "")}`;
    default:
      return `${macroNames.get(name) ?? name}(${printAll(parameters)})`;
  }
}

const prefixes = new Set<string>([operators.not, operators.negate, operators.conditional]);

/** In parentheses, unless it is one thing anyway. */
function printOperand(node: Expression): string {
  const isOperator =
    node.kind === "call" && node.target === undefined && (binary.has(node.name) || prefixes.has(node.name));
  const isNumber = node.kind === "literal" && (typeof node.value === "bigint" || typeof node.value === "number");
  return isOperator || isNumber || (node.kind === "literal" && node.value instanceof Uint)
    ? `(${print(node)})`
    : print(node);
}

const words = new Set(["in", "true", "false", "null"]);

const printField = (field: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(field) && !words.has(field) ? field : `\`${field}\``;

function printConstant(value: Constant): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (typeof value === "string") return JSON.stringify(value);
  if (value instanceof Uint8Array) {
    return `b"${[...value].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
  }
  if (typeof value !== "number") return String(value);
  const text = Object.is(value, -0) ? "-0.0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
