/** Explains a declared path to a person at a terminal. */
import { type AnyOperation, type AnyPath, operationNames } from "../api/path.ts";
import { schemaOf } from "../api/schema.ts";

export function pathHelp(path: AnyPath, pattern: string): string {
  const lines = ["## DESCRIPTION", "", path.summary, "", "## PATH", "", `    ${pattern}`];
  for (const name of operationNames) {
    const operation = path.operations[name];
    if (!operation || operation.unpublished) continue;
    const marks = [...(operation.sudo ? ["needs sudo"] : []), ...(path.access === "public" ? ["needs no token"] : [])];
    const note = marks.length > 0 ? ` (${marks.join(", ")})` : "";
    lines.push("", `## ${name.toUpperCase()}${note}`, "", operation.summary, ...fieldLines(path, operation));
  }
  return `${lines.join("\n")}\n`;
}

/** What a mount offers, one line a path. */
export function mountHelp(summary: string, paths: readonly AnyPath[]): string {
  const rows = paths
    .filter(({ unpublished }) => !unpublished)
    .flatMap((path) => path.patterns.map((pattern) => ({ pattern, summary: path.summary })));
  rows.sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
  const lines = rows.flatMap(({ pattern, summary }) => [`    ${pattern || "(top)"}`, `        ${summary}`, ""]);
  return ["## DESCRIPTION", "", summary, "", "## PATHS", "", ...lines].join("\n");
}

function fieldLines(path: AnyPath, operation: AnyOperation): string[] {
  const { properties = {}, required = [] } = schemaOf({ ...path.params, ...operation.input }, "input");
  const names = Object.keys(properties);
  const width = Math.max(...names.map((name) => name.length), 0) + 2;
  const lines = names.map((name) => {
    const { description = "", default: value } = properties[name] ?? {};
    const rule = required.includes(name)
      ? " (required)"
      : value === undefined
        ? ""
        : ` (default ${JSON.stringify(value)})`;
    return `    ${name.padEnd(width)}${description}${rule}`;
  });
  return lines.length > 0 ? ["", ...lines] : [];
}
