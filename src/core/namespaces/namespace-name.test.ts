import { expect, test } from "vitest";
import { requireName, withoutSlashes } from "./namespace-name.ts";

test.each([
  ["team", undefined],
  ["team-1.web_x", undefined],
  ["équipe", undefined],
  ["データ", undefined],
  ["", "needs a name"],
  ["a/b", "must not contain /"],
  ["root", "reserved"],
  ["sys", "reserved"],
  ["audit", "reserved"],
  ["auth", "reserved"],
  ["cubbyhole", "reserved"],
  ["identity", "reserved"],
  ["a b", "spaces"],
  ["a\u00a0b", "spaces"],
  ["a\nb", "cannot be printed"],
  ["a\u200bb", "cannot be printed"],
  ["\ud800", "cannot be printed"],
  ["a*", "'*' or '+'"],
  ["+", "'*' or '+'"],
  ["..", "cannot be '.'"],
  ["x".repeat(256), "at most 255 bytes"],
])("%j as the name of a namespace: %s", (name, refusal) => {
  if (refusal === undefined) requireName(name);
  else expect(() => requireName(name)).toThrow(refusal);
});

test.each([
  ["team", "team"],
  ["team/", "team"],
  ["/team/", "team"],
  ["/a/b/", "a/b"],
  ["/", ""],
  ["", ""],
])("%j is %j without the slashes around it", (written, clean) => {
  expect(withoutSlashes(written)).toBe(clean);
});
