import { describe, expect, it } from "vitest";
import { parseHcl } from "./parser.ts";
import { plainObject } from "./plain-value.ts";

describe("plainObject", () => {
  it.each<[string, unknown]>([
    ["a = 1\na = 2", { a: 2 }],
    ["b { x = 1 }\nb { x = 2 }\nb { x = 3 }", { b: [{ x: 1 }, { x: 2 }, { x: 3 }] }],
    ['b "l" { x = 1 }\nb "l" { x = 2 }', { b: { l: [{ x: 1 }, { x: 2 }] } }],
    ['b "l" { x = 1 }\nb "m" { x = 2 }', { b: { l: { x: 1 }, m: { x: 2 } } }],
    ["b {}\nb = 1", { b: 1 }],
    ["b = 1\nb {}", { b: {} }],
    ['b = 1\nb "l" {}', { b: { l: {} } }],
    ['b { x = 1 }\nb { x = 2 }\nb "l" {}', { b: [{ x: 1 }, { x: 2 }, { l: {} }] }],
    ["a = 123456789012345678901234567890", { a: 123456789012345678901234567890n }],
    ["a = 1.5e300", { a: 1.5e300 }],
  ])("makes of %s", (text, value) => {
    expect(plainObject(parseHcl(text))).toEqual(value);
  });

  it("is safe with names that mean something to JavaScript", () => {
    const value = plainObject(parseHcl('__proto__ { polluted = true }\nconstructor "prototype" { polluted = true }'));
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(Object.keys(value["constructor"] as object)).toEqual(["prototype"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
