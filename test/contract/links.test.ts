/** What documents point at is there: files, headings, and one decision for each number. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const documents = globSync(["*.md", "docs/**/*.md"], { cwd: root }).sort();

/** What is shown as code is no link and no heading. */
function proseOf(document: string): string {
  return readFileSync(join(root, document), "utf8").replaceAll(/^```.*?^```$/gms, "");
}

/** As the usual hosts make them from headings. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(document).matchAll(/^#+ (.*)$/gm)) {
    const anchor = heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

const linksOf = (document: string): string[] =>
  [
    ...proseOf(document)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => target!);

function complaint(document: string, link: string): string | undefined {
  const [target = "", anchor] = link.split("#");
  const file = target === "" ? document : relative(root, join(root, dirname(document), target));
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  if (!found || file.startsWith("..")) return `${link}: no such file`;
  if (anchor !== undefined && !(found.isFile() && anchorsOf(file).has(anchor))) return `${link}: no such heading`;
  return undefined;
}

test("there are documents, and they have links", () => {
  expect(documents).toContain("README.md");
  expect(linksOf("README.md").length).toBeGreaterThan(10);
});

test.each(documents)("%s", (document) => {
  const inside = linksOf(document).filter((link) => !/^[a-z]+:/.test(link));
  expect(inside.flatMap((link) => complaint(document, link) ?? [])).toEqual([]);
});

test.each(documents.filter((document) => !document.startsWith("docs/api/")))("files that %s names", (document) => {
  const named = proseOf(document).matchAll(/`(?:node )?((?:src|test|bench|scripts|examples|docs|bin)\/[\w./-]+)`/g);
  const missing = [...named].map(([, file]) => file!).filter((file) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

test("every decision has a number of its own, in its name as in its title", () => {
  const decisions = documents.filter((document) => document.startsWith("docs/decisions/"));
  const numbers = decisions.map((document) => Number(document.slice("docs/decisions/".length).split("-")[0]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  for (const [index, document] of decisions.entries()) {
    expect(readFileSync(join(root, document), "utf8").split("\n")[0]).toMatch(new RegExp(`^# ${numbers[index]}\\. `));
  }
});
