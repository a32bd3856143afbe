/** Commands that documents show exist, with the flags that they are shown with. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CommandNode, isGroup } from "../../src/cli/command.ts";
import { loadProgram } from "../../src/cli/commands.ts";

const root = join(import.meta.dirname, "../..");
const program = await loadProgram();
const documents = globSync(["*.md", "docs/*.md", "docs/decisions/*.md"], { cwd: root }).sort();

/** The words after `strongroom`, of each command in the blocks that are for a shell. */
function commandsIn(document: string): string[] {
  const blocks = readFileSync(join(root, document), "utf8").matchAll(/^```sh\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, lines]) =>
    [...lines!.replaceAll("\\\n", " ").matchAll(/(?:^|[|(;&]\s*|[A-Z]=\S+ )(?:bin\/)?strongroom ([^|#\n]*)/gm)].map(
      ([, words]) => words!.replaceAll(/'[^']*'|"[^"]*"/g, "…"),
    ),
  );
}

function complaint(line: string): string | undefined {
  let node: CommandNode = program;
  const words = line.split(/[\s)]+/);
  while (isGroup(node)) {
    const word: string = words.shift() ?? "";
    const next: CommandNode | undefined = Object.hasOwn(node.commands, word) ? node.commands[word] : undefined;
    if (next === undefined) return `strongroom ${line}: there is no ${word}`;
    node = next;
  }
  const { flags } = node;
  const unknown = words.find((word) => /^--?[a-z]/.test(word) && !Object.hasOwn(flags, flagName(word)));
  return unknown && `strongroom ${line}: there is no ${unknown}`;
}

const flagName = (word: string): string => word.replace(/^--?/, "").split("=")[0]!;

const shown = documents.map((document) => [document, commandsIn(document)] as const);

test("commands are found", () => expect(shown.flatMap(([, lines]) => lines).length).toBeGreaterThan(60));

test.each(shown.filter(([, lines]) => lines.length > 0))("%s", (_, lines) => {
  expect(lines.flatMap((line) => complaint(line) ?? [])).toEqual([]);
});
