import { describe, expect, it } from "vitest";
import { Environment } from "./environment.ts";

const environment = new Environment();
const withOptionals = new Environment({ optionalSyntax: true });

describe("errors point to the place", () => {
  it.each([
    ["1 +", "<input>:1:4: Syntax error: mismatched input '<EOF>' expecting"],
    ["a |b", "<input>:1:3: Syntax error: token recognition error at: '|'"],
    ["self.true == 1", "<input>:1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ["if + 1", "<input>:1:1: reserved identifier: if"],
    ["a.?b", "<input>:1:2: unsupported syntax '.?'"],
    ["a[?b]", "<input>:1:2: unsupported syntax '[?'"],
    ["has(m)", "<input>:1:5: invalid argument to has() macro"],
    ["1.all(2, 3)", "<input>:1:7: argument must be a simple name"],
    ["m.filter(a.b, false)", "<input>:1:11: argument is not an identifier"],
    ["m.map(__result__, 1)", "<input>:1:7: iteration variable overwrites accumulator variable"],
    ["'\\udead'", "<input>:1:1: invalid unicode code point"],
    ["9223372036854775808", "<input>:1:1: invalid int literal"],
    ["18446744073709551616u", "<input>:1:1: invalid uint literal"],
    ["1.99e90000009", "<input>:1:1: invalid double literal"],
    ["TestAllTypes(){}", "<input>:1:15: Syntax error: mismatched input '{' expecting <EOF>"],
    ["`b-c`", "<input>:1:1: Syntax error: mismatched input '`b-c`' expecting"],
  ])("%s", (text, expected) => {
    expect(() => environment.parse(text)).toThrow(`ERROR: ${expected}`);
  });

  it("shows the line and a caret, however wide the characters are", () => {
    expect(() => environment.parse("1 +\n  'é' + $")).toThrow(
      "ERROR: <input>:2:9: Syntax error: token recognition error at: '$'\n |   'é' + $\n | ...．....^",
    );
  });
});

describe("limits", () => {
  it.each([
    ["parentheses", "(".repeat(5000), "expression recursion limit exceeded: 250"],
    ["lists", `${"[".repeat(300)}${"]".repeat(300)}`, "expression recursion limit exceeded: 250"],
    ["a long sum", Array(20_000).fill("1").join("+"), "max recursion depth exceeded"],
    ["selections", `a${".b".repeat(300)}`, "max recursion depth exceeded"],
    ["the text", " ".repeat(100_001), "expression code point size exceeds limit"],
  ])("%s", (_, text, expected) => {
    expect(() => environment.parse(text)).toThrow(expected);
  });

  it("do not apply to long chains of || and &&, which make shallow trees", () => {
    const text = Array(5000).fill("x == 1").join(" || ");
    expect(() => environment.parse(text)).not.toThrow();
  });
});

it("reads optional syntax and quoted fields", () => {
  const text = "a.?b[?0].`c-d` == [?x, 1] || {?'k': v} == Msg{?f: v}";
  expect(() => withOptionals.parse(text)).not.toThrow();
});
