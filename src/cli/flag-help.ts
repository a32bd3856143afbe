/** The help text of declared flags. */
import { formatDuration } from "../lib/duration.ts";
import type { Flag, Flags } from "./flags.ts";

const helpWidth = 80;
const helpIndent = "      ";

/** One paragraph a flag, in alphabetical order. */
export function flagHelp(declared: Flags): string {
  return Object.keys(declared)
    .filter((name) => !declared[name]!.hidden)
    .sort()
    .map((name) => describeFlag(name, declared[name]!))
    .join("\n");
}

function describeFlag(name: string, flag: Flag<unknown>): string {
  const heading = flag.placeholder === undefined ? `  -${name}` : `  -${name}=<${flag.placeholder}>`;
  const sentences = [flag.description.endsWith(".") ? flag.description : `${flag.description}.`];
  const initial = shownDefault(flag);
  if (initial !== "") sentences.push(`The default is ${initial}.`);
  if (flag.environment.length > 0) sentences.push(`Environment: ${flag.environment.join(", ")}.`);
  return [heading, ...wrap(sentences.join(" "))].join("\n").concat("\n");
}

function shownDefault({ initial, placeholder }: Flag<unknown>): string {
  if (typeof initial === "number") return placeholder === "duration" ? formatDuration(initial) : String(initial);
  if (typeof initial === "boolean") return initial ? "true" : "";
  return typeof initial === "string" && initial !== "" ? initial : "";
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = helpIndent;
  for (const word of text.split(" ")) {
    if (line.length + word.length > helpWidth && line !== helpIndent) {
      lines.push(line.trimEnd());
      line = helpIndent;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()];
}
