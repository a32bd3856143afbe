/** What a macro is: a call that is replaced by something else before anything is checked or run. */
import type { Call, Comprehension, Expression, Loop } from "./ast.ts";
import { operators } from "./ast.ts";

export interface Macro {
  readonly name: string;
  /** Number of parameters; undefined means any. */
  readonly arity: number | undefined;
  /** Stands after a dot: `range.all(...)`. */
  readonly isMethod: boolean;
  /** Returns nothing when the call is not meant, which then stays a plain call. Throws `MacroError`. */
  expand(call: Call): Expression | undefined;
}

export class MacroError extends Error {
  override readonly name = "MacroError";
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

export const method = (name: string, arity: number, expand: Macro["expand"]): Macro => ({
  name,
  arity,
  isMethod: true,
  expand,
});

export const macroKey = (name: string, arity: number | undefined, isMethod: boolean): string =>
  `${isMethod ? "target." : ""}${name}/${arity ?? "*"}`;

export const macroTable = (macros: readonly Macro[]): Map<string, Macro> =>
  new Map(macros.map((macro) => [macroKey(macro.name, macro.arity, macro.isMethod), macro]));

/** No program can write this name, so it hides no variable. */
const accumulator = "@result";
/** What accumulators were called once; still refused as names of variables. */
const formerAccumulator = "__result__";

/** The name that a macro's parameter introduces. */
export function variableName(parameter: Expression, message = "argument is not an identifier"): string {
  if (parameter.kind !== "identifier" || parameter.name.startsWith(".")) {
    throw new MacroError(parameter.position, message);
  }
  if (parameter.name === accumulator || parameter.name === formerAccumulator) {
    throw new MacroError(parameter.position, "iteration variable overwrites accumulator variable");
  }
  return parameter.name;
}

/** Makes the nodes that an expansion consists of; they all point to where the macro was written. */
export class Maker {
  readonly position: number;

  constructor(call: Call) {
    this.position = call.position;
  }

  literal(value: null | boolean | bigint | string): Expression {
    return { kind: "literal", position: this.position, value };
  }

  identifier(name: string): Expression {
    return { kind: "identifier", position: this.position, name };
  }

  accumulator(): Expression {
    return this.identifier(accumulator);
  }

  call(name: string, ...parameters: Expression[]): Call {
    return { kind: "call", position: this.position, name, target: undefined, parameters };
  }

  method(target: Expression, name: string, ...parameters: Expression[]): Call {
    return { kind: "call", position: this.position, name, target, parameters };
  }

  list(...elements: Expression[]): Expression {
    return { kind: "list", position: this.position, elements, optional: new Set() };
  }

  map(): Expression {
    return { kind: "map", position: this.position, entries: [] };
  }

  conditional(condition: Expression, yes: Expression, no: Expression): Expression {
    return this.call(operators.conditional, condition, yes, no);
  }

  /** A fold whose step is taken only where `test` holds. */
  stepIf(test: Expression | undefined, step: Expression): Expression {
    return test === undefined ? step : this.conditional(test, step, this.accumulator());
  }
}

export interface Fold {
  readonly range: Expression;
  readonly variables: readonly [string, string?];
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
  readonly loop: Loop;
}

export function fold(call: Call, parts: Fold): Comprehension {
  const { variables, ...rest } = parts;
  const [variable, secondVariable] = variables;
  return { kind: "comprehension", position: call.position, variable, secondVariable, accumulator, ...rest, call };
}

/** `all`, `exists` and `exists_one`, with one variable or two. */
export function quantifier(call: Call, kind: "all" | "exists" | "existsOne", variables: Fold["variables"]): Expression {
  const make = new Maker(call);
  const test = call.parameters.at(-1)!;
  const parts = { range: call.target!, variables, loop: { kind, test } };
  if (kind === "existsOne") {
    return fold(call, {
      ...parts,
      init: make.literal(0n),
      condition: make.literal(true),
      step: make.stepIf(test, make.call(operators.add, make.accumulator(), make.literal(1n))),
      result: make.call(operators.equal, make.accumulator(), make.literal(1n)),
    });
  }
  const isAll = kind === "all";
  const goesOn = isAll ? make.accumulator() : make.call(operators.not, make.accumulator());
  return fold(call, {
    ...parts,
    init: make.literal(isAll),
    condition: make.call(operators.notStrictlyFalse, goesOn),
    step: make.call(isAll ? operators.and : operators.or, make.accumulator(), test),
    result: make.accumulator(),
  });
}

/** A list of what `element` is for each member of the range where `test` holds. */
export function listFold(
  call: Call,
  variables: Fold["variables"],
  test: Expression | undefined,
  element: Expression,
): Expression {
  const make = new Maker(call);
  return fold(call, {
    range: call.target!,
    variables,
    init: make.list(),
    condition: make.literal(true),
    step: make.stepIf(test, make.call(operators.add, make.accumulator(), make.list(element))),
    result: make.accumulator(),
    loop: { kind: "list", test, element },
  });
}

/** `result` with `name` standing for `value`, which is evaluated once. */
export function bind(call: Call, name: string, value: Expression, result: Expression): Comprehension {
  const make = new Maker(call);
  return {
    kind: "comprehension",
    position: call.position,
    variable: "#unused",
    secondVariable: undefined,
    range: make.list(),
    accumulator: name,
    init: value,
    condition: make.literal(false),
    step: make.identifier(name),
    result,
    loop: { kind: "bind" },
    call,
  };
}
