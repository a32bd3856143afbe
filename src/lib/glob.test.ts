import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globMatches } from "./glob.ts";

describe("globs", () => {
  test.each([
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["*", "anything", true],
    ["abc", "abc", true],
    ["abc", "abcd", false],
    ["a*", "abc", true],
    ["*c", "abc", true],
    ["a*c", "ac", true],
    ["a*a", "a", false],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "acb", false],
    ["*b*", "abc", true],
    ["ab*ba", "aba", false],
    ["*.example.com", "www.example.com", true],
    ["A*", "abc", false],
  ])("%s on %s is %s", (pattern, text, expected) => {
    expect(globMatches(pattern, text)).toBe(expected);
  });

  test("agrees with a slow and obvious matcher", () => {
    const slow = (pattern: string, text: string): boolean => {
      if (pattern === "") return text === "";
      if (pattern[0] === "*") return slow(pattern.slice(1), text) || (text !== "" && slow(pattern, text.slice(1)));
      return pattern[0] === text[0] && slow(pattern.slice(1), text.slice(1));
    };
    const word = (letters: string[], maxLength: number) =>
      fc.array(fc.constantFrom(...letters), { maxLength }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(word(["a", "b", "*"], 8), word(["a", "b"], 10), (pattern, text) => {
        expect(globMatches(pattern, text)).toBe(slow(pattern, text));
      }),
      { numRuns: 2000 },
    );
  });
});
