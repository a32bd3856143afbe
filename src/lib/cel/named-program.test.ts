import { describe, expect, it } from "vitest";
import { LimitError } from "./errors.ts";
import { compileNamed } from "./named-program.ts";
import { jwtEnvironment } from "./role-environments.ts";
import { Timestamp, type Value } from "./values.ts";

const values = { claims: { sub: "ada" }, now: new Timestamp(0n), operation: "update" };
const compile = (expression: string, ...variables: [string, string][]) =>
  compileNamed(
    { variables: variables.map(([name, each]) => ({ name, expression: each })), expression },
    jwtEnvironment,
  );

describe("variables", () => {
  it("may use those before them", () => {
    const program = compile("b + '!'", ["a", "claims.sub"], ["b", "a + a"]);
    expect(program.evaluate(values)).toBe("adaada!");
  });

  it("may have dots in their names", () => {
    expect(compile("x.y + 1", ["x.y", "1"]).evaluate(values)).toBe(2n);
  });

  it.each<[string, Value]>([
    ["optional.of(1)", 1n],
    ["optional.none()", null],
    ["type(1)", "int"],
    ["null", null],
    ["[1, 2]", [1n, 2n]],
  ])("keep of %s", (expression, expected) => {
    expect(compile("v", ["v", expression]).evaluate(values)).toEqual(expected);
  });
});

describe("mistakes name the part", () => {
  it.each<[string, [string, string][], string]>([
    ["1 +", [], "invalid CEL syntax for main expression: ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>'"],
    ["foo", [], "error type-checking CEL MainProgram: ERROR: <input>:1:1: undeclared reference to 'foo'"],
    ["", [], "cel_program.expression cannot be empty"],
    [
      "a",
      [["a", "(1"]],
      "failed to validate variables: variable[0].a: failed to validate: invalid CEL syntax for variable 'a': ERROR: <input>:1:3:",
    ],
    [
      "a",
      [
        ["a", "b"],
        ["b", "1"],
      ],
      "failed to validate variables: variable[0].a: failed to validate: ERROR: <input>:1:1: undeclared reference to 'b'",
    ],
    ["claims", [["claims", "1"]], "failed to validate variables: variable[0].claims: the name 'claims' is taken"],
  ])("%s %j", (expression, variables, message) => {
    expect(() => compile(expression, ...variables)).toThrow(message);
  });

  it("while it runs too", () => {
    expect(() => compile("claims.x").evaluate(values)).toThrow(
      'failed to evaluate expression: failed to evaluate expression "claims.x": no such key: x',
    );
    expect(() => compile("a", ["a", "claims.x"]).evaluate(values)).toThrow(
      'failed to evaluate variables: variable[0].a: failed to evaluate expression "claims.x": no such key: x',
    );
  });
});

it("all parts share one budget", () => {
  const limits = { steps: 150, size: 1000 };
  const work = "lists.range(60).all(x, x >= 0)";
  expect(compile(work).evaluate(values, { ...limits, steps: 250 })).toBe(true);
  expect(() => compile("a", ["a", work], ["b", work]).evaluate(values, { ...limits, steps: 250 })).toThrow(LimitError);
});
