/** What the Go implementation was seen to make of values, where other engines differ. */
import { expect, it } from "vitest";
import { compileNamed } from "./named-program.ts";
import { jwtEnvironment } from "./role-environments.ts";
import { Timestamp, type Value } from "./values.ts";

const compile = (expression: string) => compileNamed({ variables: [], expression }, jwtEnvironment);
const values = { claims: {}, now: new Timestamp(1_700_000_000_123_456_789n), operation: "update" };

it.each<[string, Value]>([
  ["string(duration('90m'))", "5400s"],
  ["string(1.0)", "1"],
  ["bool('TRUE')", true],
  ["bool('t')", true],
  ['"😀".size()', 1n],
  ["timestamp('2024-01-01T00:00:00Z').getHours('America/New_York')", 19n],
  ["now.getMilliseconds()", 123n],
])("%s", (expression, expected) => {
  expect(compile(expression).evaluate(values)).toEqual(expected);
});

it.each(["duration('1d')", "duration('3600')"])("%s is an error of conversion", (expression) => {
  expect(() => compile(`${expression} > duration('1s')`).evaluate(values)).toThrow(/duration/);
});

it("a duration of a number is refused when it is checked", () => {
  expect(() => compile("duration(3600) > duration('1s')")).toThrow(
    "found no matching overload for 'duration' applied to '(int)'",
  );
});
