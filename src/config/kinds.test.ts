import { describe, expect, it } from "vitest";
import { HclError } from "../lib/hcl/error.ts";
import { parseHcl } from "../lib/hcl/parser.ts";
import { choice, duration, flag, integer, lifetime, limit, list, text, textMap, timeout } from "./kinds.ts";
import type { Setting } from "./setting.ts";

const kinds = {
  text: text("…"),
  flag: flag("…"),
  integer: integer("…", { least: 1, most: 100 }),
  limit: limit("…", 1000),
  duration: duration("…"),
  lifetime: lifetime("…"),
  timeout: timeout("…"),
  choice: choice(["info", "warn"], "…", { warning: "warn" }),
  list: list("…"),
  textMap: textMap("…"),
} satisfies Record<string, Setting<unknown>>;

type Kind = keyof typeof kinds;

const read = (kind: Kind, written: string) => kinds[kind].read(parseHcl(`a = ${written}`).items[0]!.value);

describe("what is accepted", () => {
  it.each<[Kind, string, unknown]>([
    ["text", '"x"', "x"],
    ["text", '""', undefined],
    ["flag", "true", true],
    ["flag", '"true"', true],
    ["flag", '"TRUE"', true],
    ["flag", "1", true],
    ["flag", '"1"', true],
    ["flag", '"yes"', true],
    ["flag", "false", false],
    ["flag", '"off"', false],
    ["flag", "0", false],
    ["flag", '""', false],
    ["integer", "5", 5],
    ["integer", '"5"', 5],
    ["integer", "1e2", 100],
    ["limit", "5", 5],
    ["limit", "0", 1000],
    ["limit", "-1", Number.POSITIVE_INFINITY],
    ["duration", "90", 90],
    ["duration", '"90"', 90],
    ["duration", '"1h30m"', 5400],
    ["duration", '"30d"', 2_592_000],
    ["duration", '""', undefined],
    ["lifetime", '"24h"', 86_400],
    ["lifetime", "0", undefined],
    ["lifetime", '"0s"', undefined],
    ["lifetime", '""', undefined],
    ["timeout", "2", 2000],
    ["timeout", '"250ms"', 250],
    ["timeout", '""', undefined],
    ["choice", '"info"', "info"],
    ["choice", '"INFO"', "info"],
    ["choice", '"Warning"', "warn"],
    ["choice", '""', undefined],
    ["list", '["a", "b,c"]', ["a", "b,c"]],
    ["list", '"a, b,,c"', ["a", "b", "c"]],
    ["list", '""', []],
    ["textMap", '{ a = "x" b = 5 c = true }', { a: "x", b: "5", c: "true" }],
    ["textMap", "{ mode = 0600 }", { mode: "0600" }],
    ["textMap", "{ __proto__ = 1 }", JSON.parse('{ "__proto__": "1" }')],
  ])("%s: %s", (kind, written, value) => {
    expect(read(kind, written)).toEqual(value);
  });
});

describe("what is refused", () => {
  it.each<[Kind, string, string]>([
    ["text", "5", "must be a string, found a number"],
    ["text", "{}", "must be a string, found a block"],
    ["flag", '"maybe"', "must be true or false"],
    ["flag", "2", "must be true or false"],
    ["flag", "[]", "must be true or false"],
    ["integer", "0", "must be from 1 to 100"],
    ["integer", "101", "must be from 1 to 100"],
    ["integer", "1.5", "must be a whole number, found a number"],
    ["integer", '"five"', "must be a whole number, found a string"],
    ["integer", "true", "must be a whole number, found a boolean"],
    ["limit", '"all"', "must be a whole number, found a string"],
    ["duration", "true", 'must be a duration, such as "1h30m", found a boolean'],
    ["duration", '"-1h"', "must not be negative"],
    [
      "duration",
      '"soon"',
      '"soon" is not a duration: use seconds, such as 90, or numbers with the units d, h, m, s, ms, us, ns, such as "1h30m"',
    ],
    [
      "duration",
      '"300y"',
      '"300y" is not a duration: use seconds, such as 90, or numbers with the units d, h, m, s, ms, us, ns, such as "1h30m"',
    ],
    ["lifetime", '"-1s"', "must not be negative"],
    ["timeout", '"25d"', "must be at most 596h31m23s"],
    ["timeout", "[]", 'must be a duration, such as "1h30m", found a list'],
    ["choice", '"loud"', '"loud" is not allowed: use one of "info", "warn"'],
    ["choice", "5", "must be a string, found a number"],
    ["list", "5", "must be a list of strings, or a string with commas, found a number"],
    ["list", '["a", 5]', "must be a string, found a number"],
    ["textMap", '"x"', "must be a block, found a string"],
    ["textMap", "{ a = [1] }", '"a" must be a string, found a list'],
    ["textMap", '{ a "b" {} }', '"a" takes no label'],
  ])("%s: %s", (kind, written, reason) => {
    let error: unknown;
    try {
      read(kind, written);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(HclError);
    expect((error as HclError).reason).toBe(reason);
  });

  it("points at the item of a list that is wrong", () => {
    expect(() => read("list", '["a",\n 5]')).toThrow("At 2:2: must be a string, found a number");
  });
});
