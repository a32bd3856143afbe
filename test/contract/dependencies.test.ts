/** Every package that is declared has a line that says what it is for, and no other has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const declared: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const text = readFileSync(join(root, "docs/dependencies.md"), "utf8");

/** Names in the first column of the table below a heading. */
function described(heading: string): string[] {
  const section = text.slice(text.indexOf(`## ${heading}\n`) + 3).split("\n## ", 1)[0]!;
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)).sort();
}

test.each([
  ["At run time", ["dependencies", "optionalDependencies"]],
  ["While developing", ["devDependencies"]],
])("%s", (heading, kinds) => {
  expect(described(heading)).toEqual(kinds.flatMap((kind) => Object.keys(declared[kind]!)).sort());
});
