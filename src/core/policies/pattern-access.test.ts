import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OperationName } from "../../api/path.ts";
import { Acl } from "./acl.ts";
import { parsePolicy } from "./parse-policy.ts";
import { couldAllow } from "./pattern-access.ts";

const now = new Date("2030-01-01T00:00:00Z");
const aclOf = (...rules: [string, string][]) =>
  new Acl([
    parsePolicy(
      "p",
      rules.map(([path, capability]) => `path "${path}" { capabilities = ["${capability}"] }`).join("\n"),
    ),
  ]);

const wanted = (pattern: string, name: OperationName) => ({ pattern, name, sudo: false, creates: true });

describe("what a policy could allow on a declared form", () => {
  test.each([
    ["pki/roles/web", "read", "pki/roles/:name", "read", true],
    ["pki/roles/web", "update", "pki/roles/:name", "read", false],
    ["pki/roles/web", "create", "pki/roles/:name", "write", true],
    ["pki/*", "read", "pki/roles/:name", "read", true],
    ["pki/ro*", "read", "pki/roles/:name", "read", true],
    ["pki/is*", "read", "pki/roles/:name", "read", false],
    ["pki/roles/w*", "read", "pki/roles/:name", "read", true],
    ["+/roles/+", "read", "pki/roles/:name", "read", true],
    ["+/+", "read", "pki/roles/:name", "read", false],
    ["secret/data/a/b/c", "read", "secret/data/:path*", "read", true],
    ["secret/data/a/*", "read", "secret/data/:path*", "read", true],
    ["secret/metadata/*", "read", "secret/data/:path*", "read", false],
    ["pki/roles", "list", "pki/roles", "list", true],
    ["pki/roles/", "list", "pki/roles", "list", true],
    ["secret/metadata/", "list", "secret/metadata/:path*", "list", false],
    ["secret/metadata/a/", "list", "secret/metadata/:path*", "list", true],
    ["*", "read", "sys/health", "read", true],
    ["sys/health", "deny", "sys/health", "read", false],
  ] as const)("%s %s: %s %s is %s", (rule, capability, pattern, operation, expected) => {
    expect(couldAllow(aclOf([rule, capability]), wanted(pattern, operation), now)).toBe(expected);
  });

  test.each([
    { rules: { "secret/*": "read", "secret/data/*": "deny" }, pattern: "secret/data/:path*", expected: false },
    { rules: { "secret/*": "read", "secret/data/a/*": "deny" }, pattern: "secret/data/:path*", expected: true },
    { rules: { "secret/*": "read", "secret/data/+": "deny" }, pattern: "secret/data/:path*", expected: true },
    { rules: { "secret/*": "read", "secret/data/+": "deny" }, pattern: "secret/data/:name", expected: false },
    { rules: { "secret/*": "read", "secret/data/+": "list" }, pattern: "secret/data/:name", expected: false },
    { rules: { "*": "deny", "pki/roles/web": "read" }, pattern: "pki/roles/:name", expected: true },
    { rules: { "pki/+/web": "read", "pki/roles/+": "deny" }, pattern: "pki/roles/:name", expected: false },
    { rules: { "+/roles/+": "read", "pki/roles/web": "deny" }, pattern: "pki/roles/:name", expected: true },
    { rules: { "sys/*": "read", "sys/mounts/+/tune": "deny" }, pattern: "sys/mounts/:path*/tune", expected: true },
    { rules: { "sys/mounts/*": "read" }, pattern: "sys/mounts/:path*/tune", expected: true },
    { rules: { "sys/mounts/a/b/tune": "read" }, pattern: "sys/mounts/:path*/tune", expected: true },
    { rules: { "sys/mounts/a/b": "read" }, pattern: "sys/mounts/:path*/tune", expected: false },
  ])("$rules: reading $pattern is $expected", ({ rules, pattern, expected }) => {
    expect(couldAllow(aclOf(...Object.entries(rules)), wanted(pattern, "read"), now)).toBe(expected);
  });

  test("creating is enough for a write that can tell it from an update", () => {
    const acl = aclOf(["pki/roles/+", "create"]);
    expect(couldAllow(acl, { ...wanted("pki/roles/:name", "write"), creates: true }, now)).toBe(true);
    expect(couldAllow(acl, { ...wanted("pki/roles/:name", "write"), creates: false }, now)).toBe(false);
  });

  test("a path that needs sudo shows only to those who have it", () => {
    const plain = aclOf(["sys/audit", "read"]);
    const mighty = new Acl([parsePolicy("p", 'path "sys/audit" { capabilities = ["read", "sudo"] }')]);
    expect(couldAllow(plain, { ...wanted("sys/audit", "read"), sudo: true }, now)).toBe(false);
    expect(couldAllow(mighty, { ...wanted("sys/audit", "read"), sudo: true }, now)).toBe(true);
  });

  test("is what trying all short paths would find", () => {
    const segment = fc.constantFrom("a", "b", "ab", "+");
    const rulePath = fc
      .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "*", "/*"))
      .map(([segments, end]) => `${segments.join("/")}${end}`)
      .filter((text) => !text.includes("+*"));
    const rules = fc.dictionary(rulePath, fc.constantFrom("read", "list", "deny"), { minKeys: 1, maxKeys: 5 });
    const pattern = fc.constantFrom(
      "a/:name",
      ":first/b/:name",
      "a/:path*",
      ":path*",
      "a/:path*/b",
      ":one/:two/:three",
    );
    const names = ["a", "b", "ab", "ax", "bx", "abx", "c"];
    fc.assert(
      fc.property(rules, pattern, fc.constantFrom("read" as const, "list" as const), (granted, pattern, name) => {
        const acl = aclOf(...Object.entries(granted));
        const end = name === "list" ? "/" : "";
        const isGranted = (path: string) => acl.capabilities(`${path}${end}`, now).includes(name);
        expect(couldAllow(acl, wanted(pattern, name), now)).toBe(paths(pattern, names).some(isGranted));
      }),
      { numRuns: 500 },
    );
  });
});

/** All paths of a form with these names; `:path*` is up to four deep. */
function paths(pattern: string, names: readonly string[]): string[] {
  const product = (left: readonly string[], right: readonly string[]) =>
    left.flatMap((one) => right.map((other) => (one === "" ? other : `${one}/${other}`)));
  let found: readonly string[] = [""];
  for (const segment of pattern.split("/")) {
    if (!segment.startsWith(":")) found = product(found, [segment]);
    else if (!segment.endsWith("*")) found = product(found, names);
    else {
      let deep = product(found, names);
      const all = [...deep];
      for (let depth = 2; depth <= 4; depth++) {
        deep = product(deep, names);
        all.push(...deep);
      }
      found = all;
    }
  }
  return [...found];
}
