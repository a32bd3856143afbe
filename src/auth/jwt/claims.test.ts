import { describe, expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../lib/json.ts";
import { claimAt, claimNamed, plainClaims, withClaim } from "./claims.ts";

const claims = plainClaims(
  parseJson(
    '{"sub":"bob","aud":"one","n":1.0,"big":12345678901234567890,"a/b":"slash","m~n":"tilde","list":["x",{"y":2.50}],"o":{"":"empty","__proto__":"p"},"/odd":"o"}',
  ) as JsonObject,
);

describe("a claim", () => {
  test.each<[string, unknown]>([
    ["sub", "bob"],
    ["/sub", "bob"],
    ["aud", ["one"]],
    ["/aud", "one"],
    ["n", 1],
    ["/list/0", "x"],
    ["/list/1/y", 2.5],
    ["/list/2", undefined],
    ["/list/00", undefined],
    ["/list/-1", undefined],
    ["/list/length", undefined],
    ["/a~1b", "slash"],
    ["/m~0n", "tilde"],
    ["a/b", "slash"],
    ["/o/", "empty"],
    ["/o/__proto__", "p"],
    ["/sub/length", undefined],
    ["missing", undefined],
    ["toString", undefined],
    ["/o/toString", undefined],
    ["", undefined],
  ])("at %j is %j", (reference, expected) => {
    expect(claimAt(claims, reference)).toEqual(expected);
  });

  test("by its name alone, even if that looks like a pointer", () => {
    expect(claimNamed(claims, "/odd")).toBe("o");
    expect(claimNamed(claims, "/sub")).toBeUndefined();
  });
});

test.each<[string, object]>([
  ["g", { g: 1 }],
  ["/g", { g: 1 }],
  ["/a/b", { a: { b: 1 } }],
])("one is set at %s", (reference, expected) => {
  expect(withClaim({}, reference, 1)).toEqual(expected);
});
