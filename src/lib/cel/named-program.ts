/** A program with names for its parts: each variable may use those before it, and the last expression all of them. */
import type { Program } from "./compiler.ts";
import type { Environment } from "./environment.ts";
import { EvaluationError, ProgramError } from "./errors.ts";
import { defaultRunLimits, Meter, type RunLimits } from "./limits.ts";
import { dyn, type Type } from "./types.ts";
import { Optional, type PlainMap, TypeValue, type Value } from "./values.ts";

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface ProgramText {
  readonly variables?: readonly NamedExpression[];
  readonly expression: string;
}

export interface NamedProgram {
  /** Of the last expression, as far as the checker knows. */
  readonly type: Type;
  /** All parts together may take as many steps as one. Throws `EvaluationError` or `LimitError`. */
  evaluate(values: PlainMap, limits?: RunLimits): Value;
}

interface Part {
  readonly name: string | undefined;
  readonly text: string;
  readonly program: Program;
}

/** Throws an error that says which part is wrong, and where. */
export function compileNamed({ variables = [], expression }: ProgramText, environment: Environment): NamedProgram {
  if (expression === "") throw new EvaluationError("cel_program.expression cannot be empty");
  const parts: Part[] = [];
  let known = environment;
  for (const [index, { name, expression: text }] of variables.entries()) {
    const where = `failed to validate variables: variable[${index}].${name}`;
    if (known.variables.has(name)) {
      throw new EvaluationError(`${where}: the name '${name}' is taken; choose another`);
    }
    const syntax = `${where}: failed to validate: invalid CEL syntax for variable '${name}'`;
    const { part, type } = compilePart(known, name, text, syntax, `${where}: failed to validate`);
    parts.push(part);
    known = known.extend({ [name]: variableType(type) });
  }
  const { part, type } = compilePart(
    known,
    undefined,
    expression,
    "invalid CEL syntax for main expression",
    "error type-checking CEL MainProgram",
  );
  return { type, evaluate: (values, limits = defaultRunLimits) => run([...parts, part], values, new Meter(limits)) };
}

function compilePart(environment: Environment, name: string | undefined, text: string, syntax: string, typing: string) {
  const ast = attempt(syntax, () => environment.parse(text));
  const { type } = attempt(typing, () => environment.check(ast));
  return { part: { name, text, program: environment.program(ast) }, type };
}

function attempt<Result>(prefix: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProgramError) throw new EvaluationError(`${prefix}: ${error.message}`);
    throw error;
  }
}

/** Optionals and types do not survive being given a name: see `kept`. */
function variableType(type: Type): Type {
  return type.kind === "opaque" || type.kind === "type" ? dyn : type;
}

function run(parts: readonly Part[], values: PlainMap, meter: Meter): Value {
  const known: Record<string, Value> = Object.assign(Object.create(null), values);
  for (const [index, { name, text, program }] of parts.entries()) {
    const where = name === undefined ? "failed to evaluate expression" : "failed to evaluate variables";
    try {
      const value = program.evaluate(known, meter);
      if (name === undefined) return value;
      known[name] = kept(value);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const variable = name === undefined ? "" : ` variable[${index}].${name}:`;
      const quoted = JSON.stringify(text);
      throw new EvaluationError(`${where}:${variable} failed to evaluate expression ${quoted}: ${error.message}`);
    }
  }
  throw new Error("a program has an expression");
}

/** What later expressions see of a variable's value: an optional's content, a type's name. */
function kept(value: Value): Value {
  if (value instanceof Optional) return value.value ?? null;
  return value instanceof TypeValue ? value.name : value;
}
