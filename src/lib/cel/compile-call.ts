/** Calls: operators as closures of their own, everything else by the overload that fits the values. */
import { index, optionalIndex } from "./access.ts";
import { add, divide, modulo, multiply, negate, subtract } from "./arithmetic.ts";
import { type Call, type Expression, operators } from "./ast.ts";
import type { Compiler } from "./compiler.ts";
import { accepts, type Overload } from "./declarations.ts";
import { compare, contains, equals } from "./equality.ts";
import { noSuchOverload } from "./errors.ts";
import { optionalField } from "./fields.ts";
import { conditional, logical, not } from "./logic.ts";
import { findFunction, qualifiedName } from "./names.ts";
import type { Run, Step } from "./run.ts";
import { typeOfValue } from "./type-of.ts";
import { kindOf, Optional, type Value } from "./values.ts";

export function compileCall(compiler: Compiler, call: Call): Step {
  const operator = compileOperator(compiler, call);
  if (operator !== undefined) return operator;
  const { name, isMethod, parameters } = resolveCall(compiler, call);
  const steps = parameters.map((parameter) => compiler.compile(parameter));
  if (name === "type" && !isMethod && steps.length === 1) return typeStep(steps[0]!);
  if (isMethod && steps.length === 2 && (name === "or" || name === "orValue")) {
    const alternative = lazyAlternative(name, steps[0]!, steps[1]!);
    if (compiler.environment.overloads.has(name)) return alternative;
  }
  const overloads = (compiler.environment.overloads.get(name) ?? []).filter(
    (each) => each.isMethod === isMethod && each.parameters.length === steps.length,
  );
  return overloads.length === 0 ? missing(name, steps) : dispatch(name, overloads, steps);
}

interface Resolved {
  readonly name: string;
  readonly isMethod: boolean;
  readonly parameters: readonly Expression[];
}

/** `math.abs(x)` may be a function of that name, or the method `abs` of a variable `math`. */
function resolveCall({ environment }: Compiler, call: Call): Resolved {
  const { target, name, parameters } = call;
  if (target === undefined) return { name: findFunction(environment, name) ?? name, isMethod: false, parameters };
  const prefix = qualifiedName(target);
  if (prefix !== undefined) {
    const full = findFunction(environment, `${prefix}.${name}`);
    if (full !== undefined) return { name: full, isMethod: false, parameters };
  }
  return { name, isMethod: true, parameters: [target, ...parameters] };
}

function missing(name: string, steps: readonly Step[]): Step {
  return (run) => {
    for (const step of steps) step(run);
    throw noSuchOverload(name);
  };
}

const noFit = (name: string, values: readonly Value[]) => noSuchOverload(`${name}(${values.map(typeName).join(", ")})`);

const typeName = (value: Value): string => typeOfValue(value).name;

function dispatch(name: string, overloads: readonly Overload[], steps: readonly Step[]): Step {
  if (steps.length === 1) return unary(name, overloads, steps[0]!);
  if (steps.length === 2) return binary(name, overloads, steps[0]!, steps[1]!);
  return (run) => {
    if (--run.meter.remaining < 0) run.meter.exhausted();
    const values = steps.map((step) => step(run));
    for (const each of overloads) if (accepts(each, values)) return each.evaluate(run.meter, ...values);
    throw noFit(name, values);
  };
}

function unary(name: string, overloads: readonly Overload[], operand: Step): Step {
  return (run) => {
    if (--run.meter.remaining < 0) run.meter.exhausted();
    const value = operand(run);
    const kind = kindOf(value);
    for (const { kinds, evaluate } of overloads) {
      if (kinds[0] === undefined || kinds[0] === kind) return evaluate(run.meter, value);
    }
    throw noFit(name, [value]);
  };
}

function binary(name: string, overloads: readonly Overload[], left: Step, right: Step): Step {
  return (run) => {
    if (--run.meter.remaining < 0) run.meter.exhausted();
    const one = left(run);
    const other = right(run);
    const kind = kindOf(one);
    const otherKind = kindOf(other);
    for (const { kinds, evaluate } of overloads) {
      const fits = kinds[0] === undefined || kinds[0] === kind;
      if (fits && (kinds[1] === undefined || kinds[1] === otherKind)) return evaluate(run.meter, one, other);
    }
    throw noFit(name, [one, other]);
  };
}

type BinaryOperator = (run: Run, left: Value, right: Value) => Value;

const binaryOperators = new Map<string, BinaryOperator>([
  [operators.equal, ({ meter }, left, right) => equals(meter, left, right)],
  [operators.notEqual, ({ meter }, left, right) => !equals(meter, left, right)],
  [operators.less, ({ meter }, left, right) => compare(meter, left, right) < 0],
  [operators.lessOrEqual, ({ meter }, left, right) => compare(meter, left, right) <= 0],
  [operators.greater, ({ meter }, left, right) => compare(meter, left, right) > 0],
  [operators.greaterOrEqual, ({ meter }, left, right) => compare(meter, left, right) >= 0],
  [operators.add, ({ meter }, left, right) => add(meter, left, right)],
  [operators.subtract, (_, left, right) => subtract(left, right)],
  [operators.multiply, (_, left, right) => multiply(left, right)],
  [operators.divide, (_, left, right) => divide(left, right)],
  [operators.modulo, (_, left, right) => modulo(left, right)],
  [operators.in, ({ meter }, value, container) => containsValue(meter, container, value)],
  [operators.index, (_, container, key) => indexValue(container, key)],
  [operators.optionalIndex, (_, container, key) => optionalIndexValue(container, key)],
]);

function compileOperator(compiler: Compiler, { name, target, parameters }: Call): Step | undefined {
  if (target !== undefined) return undefined;
  const [first, second, third] = parameters;
  const step = (expression: Expression | undefined) => compiler.compile(expression!);
  switch (name) {
    case operators.and:
      return logical(step(first), step(second), false);
    case operators.or:
      return logical(step(first), step(second), true);
    case operators.conditional:
      return conditional(step(first), step(second), step(third));
    case operators.not:
      return not(step(first));
    case operators.negate: {
      const operand = step(first);
      return (run) => negate(operand(run));
    }
    case operators.optionalSelect:
      return optionalSelect(compiler, step(first), second!);
    default: {
      const run = binaryOperators.get(name);
      return run === undefined ? undefined : operator(run, step(first), step(second));
    }
  }
}

function operator(evaluate: BinaryOperator, left: Step, right: Step): Step {
  return (run) => {
    if (--run.meter.remaining < 0) run.meter.exhausted();
    return evaluate(run, left(run), right(run));
  };
}

function optionalSelect(compiler: Compiler, operand: Step, field: Expression): Step {
  const { messages } = compiler.environment;
  const name = field.kind === "literal" ? (field.value as string) : "";
  return (run) => optionalField(operand(run), name, messages);
}

function containsValue(meter: Run["meter"], container: Value, value: Value): boolean {
  if (Array.isArray(container)) meter.charge(container.length / 8);
  return contains(meter, container, value);
}

function indexValue(container: Value, key: Value): Value {
  if (container instanceof Optional) return optionalIndexValue(container, key);
  return index(container, key);
}

function optionalIndexValue(container: Value, key: Value): Optional {
  const inner = container instanceof Optional ? container.value : container;
  const value = inner === undefined ? undefined : optionalIndex(inner, key);
  return value === undefined ? Optional.none : new Optional(value);
}

/** What is there needs no alternative, which is then not evaluated. */
function lazyAlternative(name: string, first: Step, second: Step): Step {
  return (run) => {
    const optional = first(run);
    if (!(optional instanceof Optional)) throw noSuchOverload(name);
    if (optional.value !== undefined) return name === "or" ? optional : optional.value;
    const other = second(run);
    if (name === "or" && !(other instanceof Optional)) throw noSuchOverload(name);
    return other;
  };
}

const typeStep =
  (operand: Step): Step =>
  (run) =>
    typeOfValue(operand(run));
