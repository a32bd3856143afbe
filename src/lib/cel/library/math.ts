/** Numbers: rounding, extremes and bits. */
import { toInt } from "../arithmetic.ts";
import type { Call, Expression } from "../ast.ts";
import { type Implementation, type Library, type Overload, overload } from "../declarations.ts";
import { compare } from "../equality.ts";
import { EvaluationError, noSuchOverload } from "../errors.ts";
import type { Meter } from "../limits.ts";
import { type Macro, MacroError, Maker } from "../macro.ts";
import { Uint, type Value } from "../values.ts";

const isNumberLike = (node: Expression): boolean => {
  if (node.kind !== "literal") return node.kind !== "list" && node.kind !== "map" && node.kind !== "message";
  return typeof node.value === "bigint" || typeof node.value === "number" || node.value instanceof Uint;
};

const isNumberList = (node: Expression): boolean =>
  node.kind === "list" && node.elements.length > 0 && node.elements.every(isNumberLike);

/** `math.greatest(1, 2, 3)` takes any number of parameters, which no signature can say. */
const extremeMacro = (name: string, functionName: string): Macro => ({
  name,
  arity: undefined,
  isMethod: true,
  expand(call: Call) {
    const { target, parameters } = call;
    if (target?.kind !== "identifier" || target.name !== "math") return undefined;
    const make = new Maker(call);
    const shown = `math.${name}()`;
    const [first] = parameters;
    if (first === undefined) throw new MacroError(target.position, `${shown} requires at least one argument`);
    if (parameters.length === 1) {
      if (isNumberLike(first) || isNumberList(first)) return make.call(functionName, first);
      throw new MacroError(first.position, `${shown} invalid single argument value`);
    }
    for (const parameter of parameters) {
      if (!isNumberLike(parameter)) {
        throw new MacroError(parameter.position, `${shown} simple literal arguments must be numeric`);
      }
    }
    return parameters.length === 2
      ? make.call(functionName, ...parameters)
      : make.call(functionName, make.list(...parameters));
  },
});

const numberTypes = ["double", "int", "uint"];

function extremes(name: string, prefers: (order: number) => boolean): Overload[] {
  const functionName = `math.@${name}`;
  const pick = (meter: Meter, left: Value, right: Value): Value =>
    prefers(compare(meter, right, left)) ? right : left;
  const ofList: Implementation = (meter, list: Value[]) => {
    if (list.length === 0) throw new EvaluationError(`math.@${name}(list) argument must not be empty`);
    meter.charge(list.length);
    for (const each of list) if (!isNumeric(each)) throw noSuchOverload(functionName);
    return list.reduce((left, right) => pick(meter, left, right));
  };
  const pairs = numberTypes.flatMap((one) => numberTypes.map((other) => [one, other] as const));
  return [
    ...numberTypes.map((type) =>
      overload(`math_@${name}_${type}`, `${functionName}(${type}) -> ${type}`, (_, value) => value),
    ),
    ...pairs.map(([one, other]) =>
      overload(
        `math_@${name}_${one}_${other}`,
        `${functionName}(${one}, ${other}) -> ${one === other ? one : "dyn"}`,
        (meter, left, right) => pick(meter, left, right),
      ),
    ),
    ...numberTypes.map((type) =>
      overload(`math_@${name}_list_${type}`, `${functionName}(list(${type})) -> ${type}`, ofList),
    ),
  ];
}

const isNumeric = (value: Value): boolean =>
  typeof value === "bigint" || typeof value === "number" || value instanceof Uint;

const onDouble = (name: string, result: string, evaluate: (value: number) => Value): Overload =>
  overload(`math_${name}_double`, `math.${name}(double) -> ${result}`, (_, value) => evaluate(value));

/** Halves go away from zero. */
const round = (value: number): number =>
  Number.isFinite(value) ? Math.sign(value) * Math.round(Math.abs(value)) : value;

const bits = (name: string, evaluate: (left: bigint, right: bigint) => bigint): Overload[] => [
  overload(`math_${name}_int_int`, `math.${name}(int, int) -> int`, (_, left, right) => evaluate(left, right)),
  overload(
    `math_${name}_uint_uint`,
    `math.${name}(uint, uint) -> uint`,
    (_, left: Uint, right: Uint) => new Uint(evaluate(left.value, right.value)),
  ),
];

function shift(name: string, evaluate: (value: bigint, by: bigint) => bigint): Overload[] {
  const checked = (value: bigint, by: bigint): bigint => {
    if (by < 0n) throw new EvaluationError(`math.${name}() negative offset: ${by}`);
    return by > 63n ? 0n : evaluate(value, by);
  };
  return [
    // Shifting right fills with zeros, so a negative number is taken as the bits that it is.
    overload(`math_${name}_int_int`, `math.${name}(int, int) -> int`, (_, value, by) =>
      BigInt.asIntN(64, checked(BigInt.asUintN(64, value), by)),
    ),
    overload(
      `math_${name}_uint_int`,
      `math.${name}(uint, int) -> uint`,
      (_, value: Uint, by) => new Uint(BigInt.asUintN(64, checked(value.value, by))),
    ),
  ];
}

const sign = (value: bigint): bigint => (value > 0n ? 1n : value < 0n ? -1n : 0n);

export const mathLibrary: Library = {
  macros: [extremeMacro("greatest", "math.@max"), extremeMacro("least", "math.@min")],
  overloads: [
    ...extremes("min", (order) => order < 0),
    ...extremes("max", (order) => order > 0),
    onDouble("ceil", "double", Math.ceil),
    onDouble("floor", "double", Math.floor),
    onDouble("round", "double", round),
    onDouble("trunc", "double", Math.trunc),
    onDouble("isInf", "bool", (value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY),
    onDouble("isNaN", "bool", Number.isNaN),
    onDouble("isFinite", "bool", Number.isFinite),
    onDouble("abs", "double", Math.abs),
    overload("math_abs_int", "math.abs(int) -> int", (_, value: bigint) => toInt(value < 0n ? -value : value)),
    overload("math_abs_uint", "math.abs(uint) -> uint", (_, value) => value),
    onDouble("sign", "double", Math.sign),
    overload("math_sign_int", "math.sign(int) -> int", (_, value) => sign(value)),
    overload("math_sign_uint", "math.sign(uint) -> uint", (_, value: Uint) => new Uint(sign(value.value))),
    onDouble("sqrt", "double", Math.sqrt),
    overload("math_sqrt_int", "math.sqrt(int) -> double", (_, value) => Math.sqrt(Number(value))),
    overload("math_sqrt_uint", "math.sqrt(uint) -> double", (_, value: Uint) => Math.sqrt(Number(value.value))),
    ...bits("bitAnd", (left, right) => left & right),
    ...bits("bitOr", (left, right) => left | right),
    ...bits("bitXor", (left, right) => left ^ right),
    overload("math_bitNot_int_int", "math.bitNot(int) -> int", (_, value) => ~value),
    overload(
      "math_bitNot_uint_uint",
      "math.bitNot(uint) -> uint",
      (_, value: Uint) => new Uint(BigInt.asUintN(64, ~value.value)),
    ),
    ...shift("bitShiftLeft", (value, by) => value << by),
    ...shift("bitShiftRight", (value, by) => value >> by),
  ],
};
