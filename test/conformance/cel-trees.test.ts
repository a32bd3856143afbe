/**
 * Syntax trees, types and refusals beside those of the Go implementation, which the vectors carry.
 * What differs is listed with the reason, and the list may only shrink.
 */
import type { IncrementalTest } from "@bufbuild/cel-spec/testdata/tests.js";
import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { describe, expect, it } from "vitest";
import { overload, parseType } from "../../src/lib/cel/declarations.ts";
import type { Environment } from "../../src/lib/cel/environment.ts";
import { allLibraries } from "./cel-libraries.ts";
import { checkedText, comparable, kindText } from "./cel-tree.ts";
import differences from "./cel-tree-differences.json" with { type: "json" };
import { allTests, environmentFor, type NamedTest } from "./cel-vectors.ts";

/** What the vectors of the checker take for granted. */
const known = Object.fromEntries(
  Object.entries({ is: "string", ii: "int", iu: "uint", iz: "bool", id: "double", ix: "null", ib: "bytes" }).map(
    ([name, type]) => [name, parseType(type)],
  ),
);
const knownFunctions = {
  overloads: [
    overload("fg_s_0", "fg_s() -> string", () => ""),
    overload("fi_s_s_0", "string.fi_s_s() -> string", () => ""),
  ],
};

const maximumDepth = 32;

/** Trees were made without extensions, types with all of them. */
const bare = ({ original }: IncrementalTest): Environment => environmentFor(original, [], false, maximumDepth);
const full = ({ original }: IncrementalTest): Environment =>
  environmentFor(original, [...allLibraries, knownFunctions]).extend(known);

function differs({ test }: NamedTest): string | undefined {
  const text = test.original.expr;
  if (test.ast !== undefined && comparable(kindText(bare(test).parse(text).tree)) !== comparable(test.ast))
    return "tree";
  if (test.checkedAst !== undefined) {
    const environment = full(test);
    const ast = environment.parse(text);
    const found = comparable(checkedText(ast.tree, environment.check(ast)));
    if (found !== comparable(test.checkedAst)) return "types";
  }
  if (test.error === undefined) return undefined;
  const environment = bare(test);
  try {
    environment.check(environment.parse(text));
    return "accepted";
  } catch {
    return undefined;
  }
}

const attempt = (vector: NamedTest): string | undefined => {
  try {
    return differs(vector);
  } catch {
    return "refused";
  }
};

const expected = new Set(Object.values<readonly string[]>(differences).flat());

describe("trees, types and refusals of the official vectors", () => {
  for (const suite of [getConformanceSuite(), getParsingSuite(), getComprehensionSuite(), getCheckingSuite()]) {
    it(suite.name, () => {
      const found = allTests(suite)
        .map((vector) => ({ name: `${suite.name}: ${vector.path}`, how: attempt(vector) }))
        .filter(({ how }) => how !== undefined)
        .map(({ name, how }) => `${name} (${how})`);
      const listed = [...expected].filter((name) => name.startsWith(`${suite.name}: `));
      expect([...new Set(found)].sort()).toEqual(listed.sort());
    });
  }
});
