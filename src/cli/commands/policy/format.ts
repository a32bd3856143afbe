/** Puts HCL in order: indentation, spaces around `=`, one blank line at most. Comments stay where they are. */
import { scanHeredoc } from "../../../lib/hcl/heredoc.ts";
import { parseHcl } from "../../../lib/hcl/parser.ts";
import { scanQuotedString } from "../../../lib/hcl/quoted-string.ts";
import { Source } from "../../../lib/hcl/source.ts";
import { parseJson } from "../../../lib/json.ts";

interface Piece {
  readonly kind: "open" | "close" | "equals" | "comma" | "word" | "comment" | "newline";
  readonly text: string;
}

/** Throws `HclError` when the text is not HCL or JSON. */
export function formatPolicy(text: string): string {
  parseHcl(text);
  if (text.trimStart().startsWith("{")) return `${JSON.stringify(parseJson(text), null, 2)}\n`;
  const lines: string[] = [];
  let depth = 0;
  for (const line of linesOf(new Source(text))) {
    const leading = line.findIndex(({ kind }) => kind !== "close");
    const closers = leading === -1 ? line.length : leading;
    const rest = line.slice(closers);
    const change = rest.reduce((sum, { kind }) => sum + (kind === "open" ? 1 : kind === "close" ? -1 : 0), 0);
    const written = line.reduce(joinPieces, { text: "", last: undefined }).text;
    depth -= closers;
    if (written !== "" || (lines.length > 0 && lines.at(-1) !== "")) {
      lines.push(written === "" ? "" : "  ".repeat(depth) + written);
    }
    depth += change;
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

interface Joined {
  readonly text: string;
  readonly last: Piece | undefined;
}

function joinPieces({ text, last }: Joined, piece: Piece): Joined {
  return { text: text + (last === undefined || isTight(last, piece) ? "" : " ") + piece.text, last: piece };
}

/** No space before a comma, inside brackets, or in `{}`. */
function isTight(left: Piece, right: Piece): boolean {
  if (right.kind === "comma") return true;
  if (left.kind === "open" && right.kind === "close") return true;
  return left.text === "[" || right.text === "]";
}

function* linesOf(source: Source): Generator<Piece[]> {
  let line: Piece[] = [];
  for (const piece of piecesOf(source)) {
    if (piece.kind === "newline") {
      yield line;
      line = [];
    } else line.push(piece);
  }
  yield line;
}

const marks: Readonly<Record<string, Piece["kind"]>> = {
  "{": "open",
  "[": "open",
  "}": "close",
  "]": "close",
  "=": "equals",
  ",": "comma",
  "\n": "newline",
};

const word = /[^\s{}[\]=,"#/]+|\//uy;

function* piecesOf(source: Source): Generator<Piece> {
  const { text } = source;
  for (let at = source.start; at < text.length; ) {
    const character = text[at]!;
    const kind = marks[character];
    if (kind === undefined && character.trim() === "") {
      at++;
      continue;
    }
    const end = kind === undefined ? endOf(source, at) : at + 1;
    const piece = text.slice(at, end);
    yield { kind: kind ?? (isComment(piece) ? "comment" : "word"), text: piece.trimEnd() || piece };
    at = end;
  }
}

const isComment = (text: string): boolean => text.startsWith("#") || text.startsWith("//") || text.startsWith("/*");

/** Where the string, heredoc, comment or word that begins here ends. */
function endOf(source: Source, at: number): number {
  const { text } = source;
  if (text[at] === '"') return scanQuotedString(source, at).end;
  if (text.startsWith("<<", at)) return scanHeredoc(source, at).end;
  if (text.startsWith("/*", at)) return text.indexOf("*/", at + 2) + 2;
  if (isComment(text.slice(at, at + 2))) {
    const newline = text.indexOf("\n", at);
    return newline === -1 ? text.length : newline;
  }
  word.lastIndex = at;
  return at + (word.exec(text)?.[0].length ?? 1);
}
