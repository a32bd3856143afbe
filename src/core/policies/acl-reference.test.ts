/** Compares the compiled access control list with a slow one that is written straight from the priority rules. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Acl } from "./acl.ts";
import { type AccessOperation, type CapabilityName, capabilityBits } from "./capability.ts";
import { parsePolicy } from "./parse-policy.ts";

const now = new Date("2030-01-01T00:00:00Z");

interface Rule {
  readonly path: string;
  readonly capabilities: readonly CapabilityName[];
}

/** Matches segment by segment; the last one of a prefix may be longer, and may be followed by anything. */
function matches(pattern: string, path: string): boolean {
  const isPrefix = pattern.endsWith("*");
  const wanted = (isPrefix ? pattern.slice(0, -1) : pattern).split("/");
  const given = path.split("/");
  if (isPrefix ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, index) => {
    if (isPrefix && index === wanted.length - 1) return given[index]!.startsWith(segment);
    return segment === "+" || segment === given[index];
  });
}

const hasWildcard = (pattern: string) => pattern.endsWith("*") || pattern.split("/").includes("+");

function firstWildcard(pattern: string): number {
  const segments = pattern.split("/");
  const plus = segments.indexOf("+");
  if (plus === -1) return pattern.length - 1;
  return segments.slice(0, plus).join("/").length + (plus === 0 ? 0 : 1);
}

const wildcards = (pattern: string) => pattern.split("/").filter((segment) => segment === "+").length;

/** Above zero if `a` goes before `b`. */
function precedence(a: string, b: string): number {
  return (
    firstWildcard(a) - firstWildcard(b) ||
    Number(b.endsWith("*")) - Number(a.endsWith("*")) ||
    wildcards(b) - wildcards(a) ||
    a.length - b.length ||
    (a > b ? 1 : -1)
  );
}

function bestWildcard(patterns: readonly string[], path: string): string | undefined {
  const matching = patterns.filter((pattern) => hasWildcard(pattern) && matches(pattern, path));
  return matching.toSorted(precedence).at(-1);
}

function decidingPattern(patterns: readonly string[], path: string, isList: boolean): string | undefined {
  const exact = patterns.filter((pattern) => !hasWildcard(pattern));
  const trimmed = path.endsWith("/") ? path.slice(0, -1) : path;
  if (exact.includes(path)) return path;
  if (isList && exact.includes(trimmed)) return trimmed;
  return bestWildcard(patterns, path) ?? (isList ? bestWildcard(patterns, trimmed) : undefined);
}

function isAllowed(rules: readonly Rule[], path: string, operation: AccessOperation): boolean {
  const isList = operation === "list" || operation === "scan";
  const pattern = decidingPattern(
    rules.map((rule) => rule.path),
    path,
    isList,
  );
  const granted = rules.filter((rule) => rule.path === pattern).flatMap((rule) => rule.capabilities);
  return granted.includes(operation) && !granted.includes("deny");
}

const operations: AccessOperation[] = ["create", "read", "update", "delete", "list", "scan", "patch"];

const segment = fc.constantFrom("a", "b", "ab", "abc", "", "+", "+", "a+", "+a", "*", "a*b", "é", "0");
const written = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/"));
const pattern = fc
  .tuple(written, fc.constantFrom("", "", "*", "/*", "/"))
  .map(([path, end]) => path + end)
  .filter((path) => !path.includes("+*") && !path.startsWith("/"));
const rule: fc.Arbitrary<Rule> = fc.record({
  path: pattern,
  capabilities: fc.subarray(Object.keys(capabilityBits) as CapabilityName[], { maxLength: 4 }),
});
const path = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 6 }), fc.constantFrom("", "", "/"))
  .map(([segments, end]) => segments.join("/") + end);

const policyOf = (name: string, rules: readonly Rule[]) =>
  parsePolicy(
    name,
    JSON.stringify({ path: rules.map((each) => ({ [each.path]: { capabilities: each.capabilities } })) }),
  );

describe("the compiled list and the slow one", () => {
  it("agree on every operation, for any rules and paths", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(rule, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
        fc.array(path, { minLength: 1, maxLength: 12 }),
        (policies, paths) => {
          const acl = new Acl(policies.map((rules, index) => policyOf(`p${index}`, rules)));
          // Paths that rules name are worth asking about, as they are and with a slash more or less.
          const named = policies.flat().flatMap((each) => [each.path, `${each.path}/`, each.path.replace(/.$/, "")]);
          for (const asked of [...paths, ...named]) {
            for (const operation of operations) {
              const expected = isAllowed(policies.flat(), asked, operation);
              const found = acl.allows({ operation, path: asked, now });
              if (found.allowed !== expected)
                expect({ asked, operation, found }).toMatchObject({ found: { allowed: expected } });
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("agree on which rule decides", () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 20 }),
        fc.array(path, { minLength: 1 }),
        (patterns, paths) => {
          const acl = new Acl([
            policyOf(
              "p",
              patterns.map((each) => ({ path: each, capabilities: ["read"] })),
            ),
          ]);
          for (const asked of paths) {
            for (const operation of ["read", "list"] as const) {
              const expected = decidingPattern(patterns, asked, operation === "list");
              expect(acl.allows({ operation, path: asked, now }).rule).toBe(expected);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it("agree on whether anything below a path can match", () => {
    fc.assert(
      fc.property(pattern, path, fc.constantFrom("", "a", "b/", "/", "ab/c"), (rulePath, start, rest) => {
        const acl = new Acl([policyOf("p", [{ path: rulePath, capabilities: ["read"] }])]);
        if (matches(rulePath, start + rest)) expect(acl.reaches(start, now)).toBe(true);
      }),
    );
  });
});
