/** Comprehensions over index and value, or key and value. */
import type { Call, Expression } from "../ast.ts";
import { type Library, overload } from "../declarations.ts";
import { EvaluationError } from "../errors.ts";
import {
  type Fold,
  fold,
  listFold,
  type Macro,
  MacroError,
  Maker,
  method,
  quantifier,
  variableName,
} from "../macro.ts";
import { existsOneMacro } from "../standard-macros.ts";
import { CelMap, mapEntries, type Value } from "../values.ts";

function variablesOf({ parameters: [first, second] }: Call): Fold["variables"] {
  const names = [first!, second!].map((parameter) => variableName(parameter, "argument must be a simple name"));
  if (names[0] === names[1]) throw new MacroError(second!.position, `duplicate variable name: ${names[0]}`);
  return [names[0]!, names[1]!];
}

const quantify = (name: string, kind: "all" | "exists" | "existsOne"): Macro =>
  method(name, 3, (call) => quantifier(call, kind, variablesOf(call)));

/** The same macro with and without a condition before the last parameter. */
const transform = (
  name: string,
  expand: (call: Call, test: Expression | undefined, result: Expression) => Expression,
): Macro[] => [
  method(name, 3, (call) => expand(call, undefined, call.parameters[2]!)),
  method(name, 4, (call) => expand(call, call.parameters[2]!, call.parameters[3]!)),
];

const insert = "cel.@mapInsert";

function mapFold(call: Call, loop: Fold["loop"] & { test: Expression | undefined }, step: Expression): Expression {
  const make = new Maker(call);
  return fold(call, {
    range: call.target!,
    variables: variablesOf(call),
    init: make.map(),
    condition: make.literal(true),
    step: make.stepIf(loop.test, step),
    result: make.accumulator(),
    loop,
  });
}

function transformMap(call: Call, test: Expression | undefined, value: Expression): Expression {
  const make = new Maker(call);
  const key = make.identifier(variablesOf(call)[0]);
  return mapFold(call, { kind: "values", test, value }, make.call(insert, make.accumulator(), key, value));
}

function transformMapEntry(call: Call, test: Expression | undefined, entry: Expression): Expression {
  const make = new Maker(call);
  return mapFold(call, { kind: "entries", test, entry }, make.call(insert, make.accumulator(), entry));
}

function withEntries(map: CelMap, entries: Iterable<readonly [Parameters<CelMap["set"]>[0], Value]>): Value {
  const result = CelMap.of(map);
  for (const [key, value] of entries) {
    if (result.has(key)) throw new EvaluationError(`insert failed: key ${String(key)} already exists`);
    result.set(key, value);
  }
  return result;
}

export const twoVariablesLibrary: Library = {
  macros: [
    existsOneMacro,
    quantify("all", "all"),
    quantify("exists", "exists"),
    quantify("existsOne", "existsOne"),
    quantify("exists_one", "existsOne"),
    ...transform("transformList", (call, test, element) => listFold(call, variablesOf(call), test, element)),
    ...transform("transformMap", transformMap),
    ...transform("transformMapEntry", transformMapEntry),
  ],
  // For the type checker; loops put their entries into the map themselves.
  overloads: [
    overload("@mapInsert_map_key_value", `${insert}(map(A, B), A, B) -> map(A, B)`, (_, map, key, value) =>
      withEntries(map, [[key, value]]),
    ),
    overload("@mapInsert_map_map", `${insert}(map(A, B), map(A, B)) -> map(A, B)`, (_, map, other) =>
      withEntries(map, mapEntries(other)),
    ),
  ],
};
