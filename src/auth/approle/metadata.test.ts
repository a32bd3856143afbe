import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMetadata } from "./metadata.ts";

test.each([
  ["", {}],
  ["  ", {}],
  ["{}", {}],
  ['{"team":"web","host":"a=b,c"}', { team: "web", host: "a=b,c" }],
  ["team=web", { team: "web" }],
  ["team = web , host=a=b", { team: "web", host: "a=b" }],
])("%j is %j", (text, metadata) => {
  expect(parseMetadata(text)).toEqual(metadata);
});

test.each(["hello", "null", "[]", '"a"', '{"a":1}', '{"a":null}', '{"a":{"b":"c"}}', "{", "=x", "a=b,c"])(
  "%j is no metadata",
  (text) => {
    expect(() => parseMetadata(text)).toThrow("failed to parse metadata: expected a JSON object of strings");
  },
);

test("any object of strings comes back as it was", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (metadata) => {
      expect({ ...parseMetadata(JSON.stringify(metadata)) }).toEqual({ ...metadata });
    }),
  );
});

test("a key named like a part of every object is a key", () => {
  expect(Object.entries(parseMetadata('{"__proto__":"x"}'))).toEqual([["__proto__", "x"]]);
});
