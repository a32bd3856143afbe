import { describe, expect, test } from "vitest";
import { checkCustomMetadata, patchCustomMetadata } from "./custom-metadata.ts";

const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

describe("within the limits", () => {
  test.each([
    ["nothing", {}],
    ["64 entries", entries(64)],
    ["the longest key", { ["k".repeat(128)]: "v" }],
    ["the longest value", { k: "v".repeat(512) }],
    ["other scripts, symbols and spaces", { "Größe 漢字": "naïve ✓ 😀 a b" }],
    ["names that objects have", JSON.parse('{"__proto__":"a","constructor":"b"}')],
  ])("%s", (_, metadata) => {
    expect(() => checkCustomMetadata(metadata)).not.toThrow();
  });
});

describe("beyond them", () => {
  test.each([
    ["65 entries", entries(65), "at most 64 keys are allowed, and there are 65"],
    ["an empty key", { "": "v" }, 'key "" is 0 bytes long, and must be between 1 and 128'],
    ["a key of 129 bytes", { ["k".repeat(129)]: "v" }, "is 129 bytes long, and must be between 1 and 128"],
    ["a key of 65 letters that take two bytes", { ["ü".repeat(65)]: "v" }, "is 130 bytes long"],
    ["an empty value", { k: "" }, 'the value of "k" is 0 bytes long, and must be between 1 and 512'],
    ["a value of 513 bytes", { k: "v".repeat(513) }, "is 513 bytes long"],
    ["a line break in a key", { "a\nb": "v" }, 'key "a\\nb" contains characters that cannot be printed'],
    ["a zero byte in a value", { k: "a\0b" }, 'the value of "k" contains characters that cannot be printed'],
    ["a space that is not the plain one", { k: "a\u00a0b" }, "cannot be printed"],
    ["half a character", { k: "\ud800" }, "cannot be printed"],
  ])("%s", (_, metadata, reason) => {
    expect(() => checkCustomMetadata(metadata)).toThrow(reason);
  });

  test("a value that is too long is not repeated in the message", () => {
    const value = "secret".repeat(100);
    expect(() => checkCustomMetadata({ k: value })).toThrow(expect.not.stringContaining("secretsecret"));
  });
});

test.each<[object | null, object, object]>([
  [null, { a: "1" }, { a: "1" }],
  [{ a: "1" }, {}, { a: "1" }],
  [
    { a: "1", b: "2" },
    { a: null, c: 3 },
    { b: "2", c: "3" },
  ],
  [{ a: "1" }, { b: null }, { a: "1" }],
  [JSON.parse('{"__proto__":"1"}'), JSON.parse('{"__proto__":"2"}'), JSON.parse('{"__proto__":"2"}')],
])("%j patched with %j", (metadata, patch, result) => {
  const patched = patchCustomMetadata(metadata as never, patch as never);
  expect(JSON.stringify(patched)).toBe(JSON.stringify(result));
});
