/** Which declared thing a name with dots stands for. */
import type { Expression } from "./ast.ts";
import type { Environment, NamedConstant } from "./environment.ts";
import type { Type } from "./types.ts";

export type Found =
  | { readonly kind: "variable"; readonly name: string; readonly type: Type }
  | { readonly kind: "constant"; readonly name: string; readonly constant: NamedConstant };

/** `a.b.c` as written, or nothing if the expression is not just names. */
export function qualifiedName(expression: Expression): string | undefined {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.test) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
}

export const firstName = (name: string): string => name.split(".", 1)[0]!;

export function findName(environment: Environment, name: string): Found | undefined {
  for (const candidate of environment.candidates(name)) {
    const type = environment.variables.get(candidate);
    if (type !== undefined) return { kind: "variable", name: candidate, type };
    const constant = environment.constants.get(candidate);
    if (constant !== undefined) return { kind: "constant", name: candidate, constant };
  }
  return undefined;
}

/** The full name of the function that `name` stands for. */
export const findFunction = (environment: Environment, name: string): string | undefined =>
  environment.candidates(name).find((candidate) => environment.overloads.has(candidate));
