import { describe, expect, test } from "vitest";
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
    expect(couldAllow(aclOf([rule, capability]), pattern, operation, false, now)).toBe(expected);
  });

  test("a path that needs sudo shows only to those who have it", () => {
    const plain = aclOf(["sys/audit", "read"]);
    const mighty = new Acl([parsePolicy("p", 'path "sys/audit" { capabilities = ["read", "sudo"] }')]);
    expect(couldAllow(plain, "sys/audit", "read", true, now)).toBe(false);
    expect(couldAllow(mighty, "sys/audit", "read", true, now)).toBe(true);
  });
});
