import { describe, expect, test } from "vitest";
import {
  changedTokenFields,
  type KeptTokenFields,
  plainKeptTokenFields,
  shownTokenFields,
} from "./kept-token-fields.ts";
import { plainTokenFields } from "./token-fields.ts";

const change = (before: KeptTokenFields, input: object) =>
  changedTokenFields(before, input, (field) => Object.hasOwn(input, field));
const written = (...inputs: object[]) => inputs.reduce(change, plainKeptTokenFields) as KeptTokenFields;

test("nothing given changes nothing", () => {
  expect(written({})).toEqual({ token: plainTokenFields, older: [] });
  expect(shownTokenFields(written({}))).toEqual({ ...plainTokenFields, token_type: "default" });
});

test.each<[object[], object]>([
  [[{ token_ttl: 60 }, { token_max_ttl: 120 }], { token_ttl: 60, token_max_ttl: 120 }],
  [[{ token_ttl: 60 }, { token_ttl: 0 }], { token_ttl: 0 }],
  [[{ token_policies: [" B", "a", "b", ""] }], { token_policies: ["a", "b"] }],
  [[{ token_type: "batch" }], { token_type: "batch" }],
  [
    [{ token_bound_cidrs: ["10.0.0.1/32", "10.0.0.0/8", "::1/128", "fd00::/32"] }],
    { token_bound_cidrs: ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/32"] },
  ],
])("%j gives %j", (inputs, token) => {
  expect(written(...inputs).token).toEqual({ ...plainTokenFields, ...token });
});

describe("older names", () => {
  test.each<[string, object[], object]>([
    ["are shown with the current ones", [{ ttl: 60 }], { ttl: 60, token_ttl: 60 }],
    ["give way to the current ones", [{ ttl: 60, token_ttl: 90 }], { ttl: 90, token_ttl: 90 }],
    ["stay while others change", [{ policies: ["a"] }, { token_ttl: 60 }], { policies: ["a"], token_policies: ["a"] }],
    ["show what holds", [{ period: 60 }, { period: 90 }], { period: 90, token_period: 90 }],
  ])("%s", (_, inputs, shown) => {
    expect(shownTokenFields(written(...inputs))).toMatchObject(shown);
  });

  test.each<[string, object[], string]>([
    ["end when the current one is written", [{ ttl: 60 }, { token_ttl: 90 }], "ttl"],
    ["are not shown for nothing", [{ max_ttl: 0 }], "max_ttl"],
    ["are not shown for an empty list", [{ bound_cidrs: [] }], "bound_cidrs"],
  ])("%s", (_, inputs, name) => {
    expect(shownTokenFields(written(...inputs))).not.toHaveProperty(name);
  });
});

test.each<[object, string]>([
  [{ token_ttl: 2, token_max_ttl: 1 }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
  [{ ttl: 2, max_ttl: 1 }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
  [{ bound_cidrs: ["here"] }, "invalid CIDR"],
])("%j is refused", (input, message) => {
  expect(() => written(input)).toThrow(message);
});
