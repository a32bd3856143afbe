import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery, readSwitch } from "./query.ts";

/** Arrays compare by own keys; the prototype is looked at on its own. */
const entries = (text: string) => Object.entries(parseQuery(text));

describe("a query", () => {
  it.each([
    ["", []],
    ["a=1", [["a", "1"]]],
    [
      "a=1&b=2",
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ],
    ["a", [["a", ""]]],
    ["a=", [["a", ""]]],
    ["=1", [["", "1"]]],
    ["a=1=2", [["a", "1=2"]]],
    ["&&a=1&", [["a", "1"]]],
    ["a=1&a=2", [["a", ["1", "2"]]]],
    [
      "a=1&b=0&a=2&a=",
      [
        ["a", ["1", "2", ""]],
        ["b", "0"],
      ],
    ],
    ["a=x+y%2Bz", [["a", "x y+z"]]],
    ["caf%C3%A9=%E2%82%AC", [["café", "€"]]],
    ["a=1;b=2", [["a", "1;b=2"]]],
  ])("%s", (text, expected) => {
    expect(entries(text)).toEqual(expected);
  });

  it("has no prototype, and a key may have any name", () => {
    const query = parseQuery("__proto__=a&constructor=b&__proto__=c&toString=d");
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(Object.entries(query)).toEqual([
      ["__proto__", ["a", "c"]],
      ["constructor", "b"],
      ["toString", "d"],
    ]);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it.each(["a=%", "a=%4", "%zz=1", "a=%ff", "a=%C0%AF"])("%s is refused", (text) => {
    expect(() => parseQuery(text)).toThrow("escape");
  });

  it("agrees with URLSearchParams on what that can write", () => {
    // Keys and values without lone surrogates, which no URL can hold.
    const text = fc.string({ unit: "grapheme" }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([key]) => key }), (pairs) => {
        const judge = new URLSearchParams(pairs);
        const query = parseQuery(judge.toString());
        expect(new Map(Object.entries(query))).toEqual(new Map(judge.entries()));
      }),
    );
  });
});

describe("a switch", () => {
  it.each(["1", "t", "T", "TRUE", "true", "True"])("%s is on", (text) => {
    expect(readSwitch(parseQuery(`list=${text}`), "list")).toBe(true);
  });

  it.each(["0", "f", "F", "FALSE", "false", "False", ""])("%j is off", (text) => {
    expect(readSwitch(parseQuery(`list=${text}`), "list")).toBe(false);
  });

  it("is off when absent", () => {
    expect(readSwitch(parseQuery("scan=1"), "list")).toBe(false);
    expect(readSwitch(undefined, "list")).toBe(false);
  });

  it.each(["list=yes", "list=tRUE", "list=2", "list=true&list=true"])("%s is refused without words", (text) => {
    expect(() => readSwitch(parseQuery(text), "list")).toThrow(expect.objectContaining({ status: 400, messages: [] }));
  });
});
