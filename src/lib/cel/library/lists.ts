/** Lists: parts of them, their order, and what they are made of. */
import type { Call } from "../ast.ts";
import { type Implementation, type Library, type Overload, overload } from "../declarations.ts";
import { compare, equals } from "../equality.ts";
import { EvaluationError } from "../errors.ts";
import type { Meter } from "../limits.ts";
import { bind, listFold, type Macro, MacroError, Maker, method, variableName } from "../macro.ts";
import { isList, kindOf, type Value } from "../values.ts";

function slice(meter: Meter, list: readonly Value[], start: bigint, end: bigint): Value {
  const problem = sliceProblem(list.length, start, end);
  if (problem !== undefined) throw new EvaluationError(`cannot slice(${start}, ${end}), ${problem}`);
  meter.chargeElements(Number(end - start));
  return list.slice(Number(start), Number(end));
}

function sliceProblem(length: number, start: bigint, end: bigint): string | undefined {
  if (start < 0n || end < 0n) return "negative indexes not supported";
  if (start > end) return "start index must be less than or equal to end index";
  return end > BigInt(length) ? `list is length ${length}` : undefined;
}

function flatten(meter: Meter, list: readonly Value[], depth = 1n): Value {
  if (depth < 0n) throw new EvaluationError("level must be non-negative");
  meter.chargeElements(list.length);
  const flat: Value[] = [];
  for (const element of list) {
    if (!isList(element) || depth === 0n) flat.push(element);
    else for (const inner of flatten(meter, element, depth - 1n) as readonly Value[]) flat.push(inner);
  }
  return flat;
}

function range(meter: Meter, count: bigint): Value {
  const length = count < 0n ? 0 : Number(count);
  meter.chargeElements(length);
  return Array.from({ length }, (_, index) => BigInt(index));
}

function distinct(meter: Meter, list: readonly Value[]): Value {
  const found: Value[] = [];
  for (const value of list) {
    meter.charge(1 + found.length / 8);
    if (!found.some((each) => equals(meter, each, value))) found.push(value);
  }
  return found;
}

const sortable = new Set(["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"]);

function sortByKeys(meter: Meter, list: readonly Value[], keys: readonly Value[]): Value {
  const [first] = keys;
  if (first === undefined) return [];
  const kind = kindOf(first);
  if (!sortable.has(kind)) throw new EvaluationError("list elements must be comparable");
  if (!keys.every((key) => kindOf(key) === kind)) throw new EvaluationError("list elements must have the same type");
  meter.charge(list.length * (1 + Math.ceil(Math.log2(list.length))));
  const order = keys.map((_, index) => index).sort((one, other) => compare(meter, keys[one]!, keys[other]!));
  return order.map((index) => list[index]!);
}

const sort: Implementation = (meter, list) => sortByKeys(meter, list, list);

const sorts: Overload[] = [...sortable].flatMap((type) => [
  overload(`list_${type}_sort`, `list(${type}).sort() -> list(${type})`, sort),
  overload(`list_${type}_sortByAssociatedKeys`, `list(A).@sortByAssociatedKeys(list(${type})) -> list(A)`, sortByKeys),
]);

const input = "@__sortBy_input__";

/** The list is evaluated once, its keys are made by `map`, and both are handed to a function. */
const sortByMacro: Macro = method("sortBy", 2, (call: Call) => {
  const target = call.target!;
  if (target.kind === "literal" || target.kind === "map" || target.kind === "message") {
    const message = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
    throw new MacroError(target.position, message);
  }
  const make = new Maker(call);
  const [variable, key] = call.parameters;
  const keys = listFold({ ...call, target: make.identifier(input) }, [variableName(variable!)], undefined, key!);
  return bind(call, input, target, make.method(make.identifier(input), "@sortByAssociatedKeys", keys));
});

export const listsLibrary: Library = {
  macros: [sortByMacro],
  overloads: [
    overload("list_slice", "list(A).slice(int, int) -> list(A)", slice),
    overload("list_flatten", "list(list(A)).flatten() -> list(A)", flatten),
    overload("list_flatten_int", "list(dyn).flatten(int) -> list(dyn)", flatten),
    ...sorts,
    overload("lists_range", "lists.range(int) -> list(int)", range),
    overload("list_reverse", "list(A).reverse() -> list(A)", (meter, list: Value[]) => {
      meter.chargeElements(list.length);
      return list.toReversed();
    }),
    overload("list_distinct", "list(A).distinct() -> list(A)", distinct),
  ],
};
