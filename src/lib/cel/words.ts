/** Words and signs of the language that stand for an operator or a value, or for nothing that a program may name. */
import { operators } from "./ast.ts";

export const reserved = new Set(
  (
    "as break const continue else false for function if import in let loop package namespace null return true var " +
    "void while"
  ).split(" "),
);

export const relations: ReadonlyMap<string, string> = new Map([
  ["<", operators.less],
  ["<=", operators.lessOrEqual],
  [">", operators.greater],
  [">=", operators.greaterOrEqual],
  ["==", operators.equal],
  ["!=", operators.notEqual],
  ["in", operators.in],
]);
export const sums: ReadonlyMap<string, string> = new Map([
  ["+", operators.add],
  ["-", operators.subtract],
]);
export const products: ReadonlyMap<string, string> = new Map([
  ["*", operators.multiply],
  ["/", operators.divide],
  ["%", operators.modulo],
]);
export const constants: ReadonlyMap<string, null | boolean> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
