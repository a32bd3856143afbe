/** The official vectors of the language. What is left out is listed by name, with the reason, and may only shrink. */
import { getConformanceSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import { describe, expect, it } from "vitest";
import exclusions from "./cel-exclusions.json" with { type: "json" };
import { allLibraries } from "./cel-libraries.ts";
import { allTests, runVector } from "./cel-vectors.ts";

const tests = allTests(getConformanceSuite());
const excluded = new Map(Object.entries(exclusions).flatMap(([reason, names]) => names.map((name) => [name, reason])));

describe("official conformance vectors", () => {
  for (const [section, vectors] of Map.groupBy(tests, (each) => each.section)) {
    it(`${section}: ${vectors.length} vectors`, () => {
      const outcomes = vectors.map(({ path, test }) => ({ path, outcome: runVector(test.original, allLibraries) }));
      const failures = outcomes.filter(({ outcome }) => !outcome.isPassed);
      expect(failures.filter(({ path }) => !excluded.has(path))).toEqual([]);
      // Whoever makes one pass takes it off the list.
      const failedPaths = new Set(failures.map(({ path }) => path));
      const nowPassing = outcomes.filter(({ path }) => excluded.has(path) && !failedPaths.has(path));
      expect(nowPassing.map(({ path }) => path)).toEqual([]);
    });
  }

  it("leaves out only vectors that there are", () => {
    const known = new Set(tests.map(({ path }) => path));
    expect([...excluded.keys()].filter((name) => !known.has(name))).toEqual([]);
    expect(tests.length).toBe(2344);
  });
});
