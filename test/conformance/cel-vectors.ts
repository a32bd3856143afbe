/** Runs one official vector against our engine. */
import type { Type as ProtoType } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import { Type_PrimitiveType, Type_WellKnownType } from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import type { SimpleTest } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import type { Value as ProtoValue } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import type { IncrementalTest, IncrementalTestSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import type { Library, Overload } from "../../src/lib/cel/declarations.ts";
import { Environment } from "../../src/lib/cel/environment.ts";
import { equals } from "../../src/lib/cel/equality.ts";
import { EvaluationError } from "../../src/lib/cel/errors.ts";
import { defaultParseLimits, Meter } from "../../src/lib/cel/limits.ts";
import { Message } from "../../src/lib/cel/message.ts";
import * as types from "../../src/lib/cel/types.ts";
import {
  CelMap,
  isList,
  isMap,
  kindOf,
  type MapKey,
  mapEntries,
  mapGet,
  mapSize,
  Optional,
  TypeValue,
  Uint,
  type Value,
} from "../../src/lib/cel/values.ts";
import { Converter, declareAll, formerNames } from "./cel-protobuf.ts";

const registry = getTestRegistry();
const declared = declareAll(registry);
/** The vectors of the checker know the same messages by the names that they had before. */
const former = formerNames(declared);
const converter = new Converter(registry, declared.messages);

export interface NamedTest {
  readonly path: string;
  readonly section: string;
  readonly test: IncrementalTest;
}

export function allTests(suite: IncrementalTestSuite): NamedTest[] {
  const walk = (node: IncrementalTestSuite, path: readonly string[]): NamedTest[] => [
    ...node.tests.map((test) => ({ path: [...path, test.name].join("/"), section: path[0] ?? node.name, test })),
    ...node.suites.flatMap((child) => walk(child, [...path, child.name])),
  ];
  return walk(suite, []);
}

const primitives = new Map([
  [Type_PrimitiveType.BOOL, types.bool],
  [Type_PrimitiveType.INT64, types.int],
  [Type_PrimitiveType.UINT64, types.uint],
  [Type_PrimitiveType.DOUBLE, types.double],
  [Type_PrimitiveType.STRING, types.string],
  [Type_PrimitiveType.BYTES, types.bytes],
]);

const wellKnown = new Map([
  [Type_WellKnownType.ANY, types.anyType],
  [Type_WellKnownType.TIMESTAMP, types.timestamp],
  [Type_WellKnownType.DURATION, types.duration],
]);

function readType(type: ProtoType | undefined): types.Type {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case "primitive":
      return primitives.get(kind.value) ?? types.dyn;
    case "wellKnown":
      return wellKnown.get(kind.value) ?? types.dyn;
    case "wrapper":
      return types.wrapper(primitives.get(kind.value)!);
    case "null":
      return types.nullType;
    case "listType":
      return types.list(readType(kind.value.elemType));
    case "mapType":
      return types.map(readType(kind.value.keyType), readType(kind.value.valueType));
    case "messageType":
      return messageTypes.get(kind.value) ?? types.message(kind.value);
    case "typeParam":
      return types.parameter(kind.value);
    case "type":
      return types.typeOf(kind.value.typeKind.case === undefined ? undefined : readType(kind.value));
    case "abstractType":
      return types.opaque(kind.value.name, ...kind.value.parameterTypes.map(readType));
    default:
      return types.dyn;
  }
}

const messageTypes = new Map(
  [...new Environment().messages.values()].map(({ name, wellKnown: known }) => [name, known!.type]),
);

function readValue(value: ProtoValue): Value {
  const { kind } = value;
  switch (kind.case) {
    case "uint64Value":
      return new Uint(kind.value);
    case "enumValue":
      return BigInt(kind.value.value);
    case "objectValue":
      return converter.unpack(kind.value.typeUrl, kind.value.value);
    case "listValue":
      return kind.value.values.map(readValue);
    case "mapValue":
      return CelMap.of(kind.value.entries.map((entry) => [readValue(entry.key!) as MapKey, readValue(entry.value!)]));
    case "typeValue":
      return new TypeValue(kind.value, types.dyn);
    case "nullValue":
    case undefined:
      return null;
    default:
      return kind.value;
  }
}

export interface Outcome {
  readonly isPassed: boolean;
  readonly detail: string;
}

const passed: Outcome = { isPassed: true, detail: "" };
const failed = (detail: string): Outcome => ({ isPassed: false, detail });

/** Functions that a vector declares for the checker; none is ever run. */
function declaredFunctions(test: SimpleTest): Overload[] {
  return test.typeEnv.flatMap(({ name, declKind }) => {
    if (declKind.case !== "function") return [];
    return declKind.value.overloads.map((each) => ({
      id: each.overloadId,
      name,
      isMethod: each.isInstanceFunction,
      parameters: each.params.map(readType),
      result: readType(each.resultType),
      kinds: each.params.map(() => undefined),
      evaluate: () => null,
    }));
  });
}

export function environmentFor(
  test: SimpleTest,
  libraries: readonly Library[],
  optionalSyntax = true,
  depth?: number,
): Environment {
  const variables: Record<string, types.Type> = {};
  for (const name of Object.keys(test.bindings)) variables[name] = types.dyn;
  for (const { name, declKind } of test.typeEnv) {
    if (declKind.case === "ident") variables[name] = readType(declKind.value.type);
  }
  return new Environment({
    container: test.container,
    libraries: [...libraries, { overloads: declaredFunctions(test) }],
    variables,
    messages: [...declared.messages, ...former.messages],
    enums: [...declared.enums, ...former.enums],
    optionalSyntax,
    ...(depth !== undefined && { parseLimits: { ...defaultParseLimits, depth } }),
    unpack(typeUrl, bytes) {
      if (typeUrl === "") throw new EvaluationError("empty Any");
      return converter.unpack(typeUrl, bytes);
    },
  });
}

export function runVector(test: SimpleTest, libraries: readonly Library[]): Outcome {
  const expected = test.resultMatcher;
  const expectsError = expected.case === "evalError" || expected.case === "anyEvalErrors";
  const environment = environmentFor(test, libraries);
  let checkedType = "";
  let value: Value;
  try {
    const ast = environment.parse(test.expr);
    if (!test.disableCheck) checkedType = types.typeText(environment.check(ast).type);
    if (test.checkOnly) return typeOutcome(test, checkedType);
    const bindings = Object.fromEntries(
      Object.entries(test.bindings).map(([name, bound]) => [name, readValue(bound.kind.value as ProtoValue)]),
    );
    value = environment.program(ast).evaluate(bindings);
  } catch (error) {
    return expectsError ? passed : failed(String(error));
  }
  if (expectsError) return failed(`should fail, is ${show(value)}`);
  if (expected.case === "typedResult") {
    const outcome = typeOutcome(test, checkedType);
    if (!outcome.isPassed) return outcome;
    return compareValues(readValue(expected.value.result!), value);
  }
  if (expected.case === "value") return compareValues(readValue(expected.value), value);
  return value === true ? passed : failed(`should be true, is ${show(value)}`);
}

function typeOutcome(test: SimpleTest, actual: string): Outcome {
  if (test.resultMatcher.case !== "typedResult") return passed;
  const expected = types.typeText(readType(test.resultMatcher.value.deducedType));
  return expected === actual ? passed : failed(`type should be ${expected}, is ${actual}`);
}

const compareValues = (expected: Value, actual: Value): Outcome =>
  isSame(expected, actual) ? passed : failed(`should be ${show(expected)}, is ${show(actual)}`);

/** Stricter than CEL's equality: types must agree, and NaN is NaN. */
function isSame(expected: Value, actual: Value): boolean {
  if (kindOf(expected) !== kindOf(actual)) return false;
  if (typeof expected === "number") return Object.is(expected, actual) || expected === actual;
  if (isList(expected)) {
    const other = actual as readonly Value[];
    return expected.length === other.length && expected.every((each, index) => isSame(each, other[index]!));
  }
  if (isMap(expected) && isMap(actual)) {
    if (mapSize(expected) !== mapSize(actual)) return false;
    return [...mapEntries(expected)].every(([key, value]) => {
      const other = mapGet(actual, key);
      return other !== undefined && isSame(value, other);
    });
  }
  return equals(new Meter(), expected, actual);
}

function show(value: Value): string {
  if (value instanceof Message)
    return `${value.type.name}{${[...value.fields].map(([key, each]) => `${key}: ${show(each)}`)}}`;
  if (value instanceof CelMap) return `{${[...value].map(([key, each]) => `${show(key)}: ${show(each)}`)}}`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Optional) return value.value === undefined ? "none" : `optional(${show(value.value)})`;
  if (isList(value)) return `[${value.map(show)}]`;
  if (typeof value === "number") return `${value}d`;
  return typeof value === "bigint"
    ? `${value}`
    : JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
}
