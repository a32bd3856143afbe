import { describe, expect, expectTypeOf, test } from "vitest";
import { parseJson } from "../lib/json.ts";
import {
  anything,
  choice,
  dictionary,
  duration,
  type Fields,
  flag,
  integer,
  integers,
  items,
  list,
  number,
  partial,
  text,
  time,
  type Values,
} from "./fields.ts";
import { compileOperations, declaredOutput, readInput } from "./input.ts";
import { pageFields } from "./list-fields.ts";
import { Open, pathsFor, type StoredOperation } from "./path.ts";

const fields = {
  text: text("Text"),
  flag: flag("Flag"),
  integer: integer("Integer"),
  number: number("Number"),
  duration: duration("Duration"),
  time: time("Time"),
  list: list("List"),
  items: items("Items"),
  integers: integers("Integers"),
  dictionary: dictionary("Dictionary"),
  choice: choice(["rsa", "ec"], "Choice"),
  anything: anything("Anything"),
  limit: pageFields.limit,
} satisfies Fields;

const path = pathsFor<undefined>();
const compiled = compileOperations(
  path({
    pattern: "things/:name",
    summary: "Things",
    params: { name: text("Name") },
    write: { summary: "Write", input: partial(fields), handler: async () => undefined },
  }),
).write!;

const read = (body: string) => readInput(compiled as never, { name: "n" }, parseJson(body) as never);

describe("weak typing", () => {
  test.each([
    ["text", '"a"', "a"],
    ["text", "1", "1"],
    ["text", "1.0", "1.0"],
    ["text", "9007199254740993", "9007199254740993"],
    ["text", "true", "1"],
    ["text", '""', ""],
    ["flag", "true", true],
    ["flag", '"true"', true],
    ["flag", '"T"', true],
    ["flag", '"1"', true],
    ["flag", "1", true],
    ["flag", "0", false],
    ["flag", '"False"', false],
    ["flag", '""', false],
    ["integer", "5", 5],
    ["integer", '"5"', 5],
    ["integer", '"-5"', -5],
    ["integer", '"0x10"', 16],
    ["integer", '""', 0],
    ["integer", "true", 1],
    ["integer", "5.0", "5.0"],
    ["number", '"2.5"', 2.5],
    ["duration", "90", 90],
    ["duration", '"90"', 90],
    ["duration", '"1h0m0s"', 3600],
    ["duration", '"1h30m"', 5400],
    ["duration", '"7d"', 604800],
    ["duration", '"0s"', 0],
    ["duration", '""', 0],
    ["duration", '"-1"', -1],
    ["time", '"2030-01-02T03:04:05Z"', Date.UTC(2030, 0, 2, 3, 4, 5)],
    ["time", "1700000000", 1_700_000_000_000],
    ["list", '"a, b,,c "', ["a", "b", "c"]],
    ["list", '["a,b", 2]', ["a,b", "2"]],
    ["list", '""', []],
    ["items", '"default,foo"', ["default,foo"]],
    ["integers", '["2", 3]', [2, 3]],
    ["integers", '"2,3"', [2, 3]],
    ["dictionary", '{"a": 1, "__proto__": "x"}', { a: "1", ["__proto__"]: "x" }],
    ["dictionary", '["a=1", "b=2=3"]', { a: "1", b: "2=3" }],
    ["dictionary", '"a=1"', { a: "1" }],
    ["choice", '"ec"', "ec"],
    ["limit", '"max"', 0],
    ["limit", '"10"', 10],
  ] as const)("%s from %s", (name, raw, value) => {
    if (value === "5.0") return expect(() => read(`{"${name}":${raw}}`)).toThrow("expected an integer");
    const { values, given } = read(`{"${name}":${raw}}`);
    expect(JSON.stringify(values[name])).toBe(JSON.stringify(value));
    expect([...given]).toEqual([name]);
  });

  test("null is how some clients write a field that is not set", () => {
    const { values, given } = read('{"text":null,"duration":null}');
    expect(values).toEqual({ name: "n" });
    expect(given.size).toBe(0);
  });
});

describe("refusals say which field, and what is allowed", () => {
  test.each([
    ['{"flag":"yes"}', 'for field "flag": expected a boolean: true or false'],
    ['{"integer":"1.5"}', 'for field "integer": expected an integer'],
    ['{"integer":1e400}', 'for field "integer": expected an integer'],
    ['{"integer":9007199254740993}', 'for field "integer": expected an integer'],
    ['{"duration":"soon"}', 'for field "duration": expected a duration: seconds, or a string such as "30s"'],
    ['{"time":"2030-13-01T00:00:00Z"}', 'for field "time": expected a time: RFC 3339'],
    ['{"list":{"a":1}}', 'for field "list": expected a list of strings'],
    ['{"list":[["a"]]}', 'for field "list.0": expected a string'],
    ['{"dictionary":["a"]}', 'for field "dictionary": expected a map of strings'],
    ['{"dictionary":{"a":{}}}', 'for field "dictionary": expected a map of strings'],
    ['{"choice":"dsa"}', 'for field "choice": expected one of "rsa", "ec"'],
    ['{"text":["a"]}', 'for field "text": expected a string'],
    ['{"text":{}}', 'for field "text": expected a string'],
    ['{"limit":"all"}', 'for field "limit": expected an integer or "max"'],
  ])("%s", (body, message) => {
    expect(() => read(body)).toThrow(message);
  });

  test("a missing field", () => {
    const { write } = compileOperations(
      path({ pattern: "a", summary: "", write: { summary: "", input: { name: text("N") }, handler: async () => {} } }),
    );
    expect(() => readInput(write as never, {}, {})).toThrow('missing required field "name": expected a string');
  });
});

test("unknown and captured parameters are warned of, sorted", () => {
  const { warnings, values } = read('{"zeta":1,"alpha":2,"name":"other","text":"t"}');
  expect(values["name"]).toBe("n");
  expect(warnings).toEqual([
    "Endpoint ignored these unrecognized parameters: [alpha zeta]",
    "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
  ]);
});

test("only declared output leaves, unless the declaration is open", () => {
  const operation = { summary: "", output: { a: text("A") }, handler: async () => undefined } as StoredOperation<never>;
  expect(declaredOutput(operation, { a: "1", password: "hunter2" })).toEqual({ a: "1" });
  expect(() => declaredOutput(operation, new Open({ b: 1 }))).toThrow("internal error");
  expect(declaredOutput({ ...operation, openOutput: true }, new Open({ b: 1 }))).toEqual({ b: 1 });
});

test("handlers know the types of their input", () => {
  expectTypeOf<Values<typeof fields>["duration"]>().toEqualTypeOf<number>();
  expectTypeOf<Values<typeof fields>["choice"]>().toEqualTypeOf<"rsa" | "ec">();
  path({
    pattern: "roles/:name",
    summary: "",
    params: { name: text("Name") },
    write: {
      summary: "",
      input: { ttl: duration("TTL").default(0), hosts: list("Hosts") },
      output: { ttl: duration("TTL") },
      async handler(input) {
        expectTypeOf(input).toEqualTypeOf<{ name: string; ttl: number; hosts: string[] }>();
        return { ttl: input.ttl };
      },
    },
  });
  // @ts-expect-error: the pattern names a parameter that params does not describe
  path({ pattern: "roles/:name", summary: "", params: {} });
});
