/** Text over several lines: `<<EOF` … `EOF`, and `<<-EOF`, whose indentation is taken off. */
import type { Source } from "./source.ts";

interface Heredoc {
  readonly value: string;
  readonly end: number;
}

const opening = /<<(-?)([\p{L}\p{Nd}_]+)\r?\n/uy;

/** Reads the heredoc whose `<<` is at `start`. Its end marker stands alone on a line, perhaps indented. */
export function scanHeredoc(source: Source, start: number): Heredoc {
  const { text } = source;
  opening.lastIndex = start;
  const match = opening.exec(text);
  if (match === null) throw source.error('expected a name and the end of the line after "<<"', start);
  const [whole, dash, marker] = match as unknown as [string, string, string];
  const lines: string[] = [];
  for (let at = start + whole.length; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const indentation = indentationOf(line);
    if (line.startsWith(marker, indentation.length) && isBlank(line, indentation.length + marker.length)) {
      const kept = dash === "" ? lines : withoutIndentation(lines, indentation);
      return { value: kept.join(""), end: newline === -1 ? next : newline };
    }
    lines.push(line);
    at = next;
  }
  throw source.error(`the text is not closed: no line with ${marker} alone`, start);
}

/** The end marker's own indentation is taken off, if every line that has text is indented at least as far. */
function withoutIndentation(lines: readonly string[], indentation: string): readonly string[] {
  const indented = lines.every((line) => line.startsWith(indentation) || isBlank(line, 0));
  if (!indented) return lines;
  return lines.map((line) =>
    line.startsWith(indentation) ? line.slice(indentation.length) : line.trimStart() || "\n",
  );
}

function indentationOf(line: string): string {
  let end = 0;
  while (line[end] === " " || line[end] === "\t") end++;
  return line.slice(0, end);
}

function isBlank(line: string, from: number): boolean {
  return line.slice(from).trim() === "";
}
