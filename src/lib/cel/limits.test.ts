import { describe, expect, it } from "vitest";
import { LimitError } from "./errors.ts";
import { Meter } from "./limits.ts";
import { jwtEnvironment } from "./role-environments.ts";
import type { PlainMap } from "./values.ts";

const run = (text: string, variables: PlainMap = {}, meter = new Meter()) =>
  jwtEnvironment
    .extend({ x: { kind: "dyn" } })
    .program(jwtEnvironment.extend({ x: { kind: "dyn" } }).parse(text))
    .evaluate(variables, meter);

const stopped = "the program was stopped: it takes more than 100000 steps";
const thousand = "lists.range(1000)";

describe("hostile programs are stopped", () => {
  it.each([
    ["nested loops", `${thousand}.all(a, ${thousand}.all(b, ${thousand}.all(c, a + b + c >= 0)))`, stopped],
    ["errors in loops", `${thousand}.exists(a, ${thousand}.exists(b, 1 / 0 > 0))`, stopped],
    ["errors that || passes over", `${thousand}.all(a, ${thousand}.all(b, 1 / 0 > 0 || true))`, stopped],
    ["a list from nowhere", "lists.range(10000000)", "a list or map may have at most 1000000 elements, not 10000000"],
    ["a list from nowhere, by steps", "lists.range(900000)", stopped],
    [
      "doubling text",
      `${thousand}.map(i, i).map(i, 'x').join('').split('').map(a, 'y'.replace('y', '${"z".repeat(2000)}')).join('')`,
      "a string or bytes value may have a length",
    ],
    [
      "doubling",
      `cel.bind(a, 'xxxxxxxxxx', ${Array.from({ length: 20 }, (_, i) => `cel.bind(${name(i + 1)}, ${name(i)} + ${name(i)}, `).join("")}size(${name(20)})${")".repeat(21)}`,
      "a string or bytes value may have a length",
    ],
    [
      "replace that grows",
      `'${"a".repeat(2000)}'.replace('a', '${"b".repeat(1000)}')`,
      "a string or bytes value may have a length",
    ],
    [
      "sets",
      `sets.equivalent(${thousand}.map(i, i), ${thousand}.map(i, 999 - i)) && sets.equivalent(${thousand}, ${thousand})`,
      stopped,
    ],
    ["distinct", "lists.range(5000).distinct()", stopped],
    ["many patterns", "lists.range(10000).exists(i, 'x'.matches('[a-z]{5}' + string(i)))", stopped],
    ["time zones", "lists.range(20000).all(i, timestamp(i).getHours('Europe/Vienna') >= 0)", stopped],
    [
      "a chain of optMap",
      `optional.of(1)${".optMap(v, v + 1)".repeat(80)}.value() + lists.range(200000).size()`,
      stopped,
    ],
  ])("%s", (_, text, message) => {
    expect(() => run(text)).toThrow(message);
    expect(() => run(text)).toThrow(LimitError);
  });

  function name(index: number): string {
    return String.fromCharCode(97 + index);
  }
});

describe("regular expressions", () => {
  it("take linear time", () => {
    expect(run(`'${"a".repeat(40)}!'.matches('^(a+)+$')`)).toBe(false);
  });

  it("are charged by what they read, so that 10 MB are too much", () => {
    expect(() => run("x.matches('b')", { x: "a".repeat(10_000_000) })).toThrow(stopped);
  });

  it("may not be endless", () => {
    expect(() => run("'a'.matches(x)", { x: "a".repeat(5000) })).toThrow(
      "error parsing regexp: expression larger than 4096",
    );
    expect(() => run("'a'.matches('((a{100}){100}){100}')")).toThrow("error parsing regexp");
  });
});

it("data that is nested without end is a limit too", () => {
  const text = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  expect(() => run("decode_json(x) == decode_json(x) || true", { x: text })).toThrow("a value is nested too deeply");
});

it("the same program takes the same number of steps each time", () => {
  const remaining = Array.from({ length: 3 }, () => {
    const meter = new Meter();
    run("lists.range(100).filter(i, i % 2 == 0).map(i, string(i)).join(',').matches('9')", {}, meter);
    return meter.remaining;
  });
  expect(new Set(remaining).size).toBe(1);
});
