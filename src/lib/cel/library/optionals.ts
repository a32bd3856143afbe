/** Values that may be missing, without an error. */

import { optionalIndex } from "../access.ts";
import type { Call } from "../ast.ts";
import { operators } from "../ast.ts";
import { type Implementation, type Library, overload } from "../declarations.ts";
import { EvaluationError } from "../errors.ts";
import { bind, type Macro, MacroError, Maker, method } from "../macro.ts";
import { isZero, Message } from "../message.ts";
import * as types from "../types.ts";
import { Duration, isMap, mapSize, Optional, Timestamp, TypeValue, type Value } from "../values.ts";

const none = "optional.none() dereference";

function content(optional: Optional): Value {
  if (optional.value === undefined) throw new EvaluationError(none);
  return optional.value;
}

function isZeroValue(value: Value): boolean {
  if (value instanceof Message) return value.fields.size === 0;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  if (value instanceof Timestamp) return false;
  if (isMap(value)) return mapSize(value) === 0;
  return isZero(value);
}

const toOptional = (value: Value | undefined): Optional => (value === undefined ? Optional.none : new Optional(value));

const at: Implementation = (_, container, key) => toOptional(optionalIndex(container, key));

const inside: Implementation = (_, { value }: Optional, key) =>
  value === undefined ? Optional.none : toOptional(optionalIndex(value, key));

const unwrap: Implementation = (meter, list: Value[]) => {
  meter.chargeElements(list.length);
  return list.flatMap((each) => {
    if (!(each instanceof Optional)) throw new EvaluationError(`value ${String(each)} is not optional`);
    return each.value === undefined ? [] : [each.value];
  });
};

/** No program can write this name. */
const input = "@optional";

/** `target.optMap(x, f(x))`: nothing stays nothing. */
const optionalMacro = (name: string, isFlat: boolean): Macro =>
  method(name, 2, (call: Call) => {
    const [variable, result] = call.parameters;
    if (variable?.kind !== "identifier") {
      throw new MacroError(variable?.position ?? call.position, `${name}() variable name must be a simple identifier`);
    }
    const make = new Maker(call);
    const held = make.identifier(input);
    const bound = bind(call, variable.name, make.method(held, "value"), result!);
    const mapped = isFlat ? bound : make.call("optional.of", bound);
    const choice = make.conditional(make.method(held, "hasValue"), mapped, make.call("optional.none"));
    // Bound to a name: a chain of these would be evaluated twice, four times, eight times otherwise.
    return bind(call, input, call.target!, choice);
  });

const optionalType = types.optional(types.dyn);

export const optionalsLibrary: Library = {
  macros: [optionalMacro("optMap", false), optionalMacro("optFlatMap", true)],
  constants: {
    optional_type: { type: types.typeOf(optionalType), value: new TypeValue("optional_type", optionalType) },
  },
  overloads: [
    overload("optional_of", "optional.of(A) -> optional(A)", (_, value) => new Optional(value)),
    overload("optional_ofNonZeroValue", "optional.ofNonZeroValue(A) -> optional(A)", (_, value) =>
      isZeroValue(value) ? Optional.none : new Optional(value),
    ),
    overload("optional_none", "optional.none() -> optional(A)", () => Optional.none),
    overload("optional_value", "optional(A).value() -> A", (_, optional) => content(optional)),
    overload("optional_hasValue", "optional(A).hasValue() -> bool", (_, { value }: Optional) => value !== undefined),
    // The compiler evaluates what comes second only if it is needed.
    overload("optional_or_optional", "optional(A).or(optional(A)) -> optional(A)", (_, one: Optional, other) =>
      one.value === undefined ? other : one,
    ),
    overload(
      "optional_orValue_value",
      "optional(A).orValue(A) -> A",
      (_, { value }: Optional, other) => value ?? other,
    ),
    overload("list_optindex_optional_int", `${operators.optionalIndex}(list(A), int) -> optional(A)`, at),
    overload(
      "optional_list_optindex_optional_int",
      `${operators.optionalIndex}(optional(list(A)), int) -> optional(A)`,
      inside,
    ),
    overload("map_optindex_optional_value", `${operators.optionalIndex}(map(A, B), A) -> optional(B)`, at),
    overload(
      "optional_map_optindex_optional_value",
      `${operators.optionalIndex}(optional(map(A, B)), A) -> optional(B)`,
      inside,
    ),
    overload("optional_list_index_int", `${operators.index}(optional(list(A)), int) -> optional(A)`, inside),
    overload("optional_map_index_value", `${operators.index}(optional(map(A, B)), A) -> optional(B)`, inside),
    overload("list_first", "list(A).first() -> optional(A)", (_, list: Value[]) => toOptional(list[0])),
    overload("list_last", "list(A).last() -> optional(A)", (_, list: Value[]) => toOptional(list.at(-1))),
    overload("optional_unwrap", "optional.unwrap(list(optional(A))) -> list(A)", unwrap),
    overload("optional_unwrapOpt", "list(optional(A)).unwrapOpt() -> list(A)", unwrap),
  ],
};
