import { expect, test } from "vitest";
import { isRoleName, requireRoleName } from "./role-name.ts";

test.each(["a", "_", "7", "web-1", "a.b_c-d", "ada@example.com", "x".repeat(512)])("%j is a name", (name) => {
  expect(isRoleName(name)).toBe(true);
});

test.each(["", ".", "-a", "a-", "a b", "a/b", "é", "a\n", "*", "+", "a,b", "\ud800", "x".repeat(513)])(
  "%j is no name",
  (name) => {
    expect(isRoleName(name)).toBe(false);
    expect(() => requireRoleName("a role", name)).toThrow("the name of a role has at most 512 letters, digits and");
  },
);

test("upper and lower case are one", () => {
  expect(requireRoleName("a role", "Web.A")).toBe("web.a");
});
