/**
 * SQL as text: where its statements end, and how values get into it. A value is escaped for the place where its placeholder
 * stands, and refused where no escaping would do, so that no name or password can become a statement.
 */
import { refused } from "../failure.ts";

export interface Dialect {
  /** `\` escapes inside of every string. */
  readonly backslashEscapes: boolean;
  /** `"` quotes strings and not names. */
  readonly doubleQuotedStrings: boolean;
  /** `$tag$ … $tag$` quotes strings. */
  readonly dollarQuotes: boolean;
  /** `#` begins a comment. */
  readonly hashComments: boolean;
}

export const postgresDialect: Dialect = {
  backslashEscapes: false,
  doubleQuotedStrings: false,
  dollarQuotes: true,
  hashComments: false,
};

export const mysqlDialect: Dialect = {
  backslashEscapes: true,
  doubleQuotedStrings: true,
  dollarQuotes: false,
  hashComments: true,
};

type Kind = "plain" | "string" | "escaped string" | "name" | "backticks" | "dollars" | "comment";

interface Segment {
  readonly kind: Kind;
  readonly text: string;
}

/** Cuts a text into quoted, commented and plain parts, each with its marks. */
function segmentsOf(sql: string, dialect: Dialect): Segment[] {
  const segments: Segment[] = [];
  let plainFrom = 0;
  let at = 0;
  while (at < sql.length) {
    const found = quotedAt(sql, at, dialect);
    if (!found) {
      at += 1;
      continue;
    }
    if (at > plainFrom) segments.push({ kind: "plain", text: sql.slice(plainFrom, at) });
    segments.push({ kind: found.kind, text: sql.slice(at, found.end) });
    at = found.end;
    plainFrom = at;
  }
  if (at > plainFrom) segments.push({ kind: "plain", text: sql.slice(plainFrom, at) });
  return segments;
}

function quotedAt(sql: string, at: number, dialect: Dialect): { kind: Kind; end: number } | undefined {
  const sign = sql[at];
  if (sign === "'") {
    const isEscaped = dialect.backslashEscapes || isEscapeString(sql, at);
    return { kind: isEscaped ? "escaped string" : "string", end: quoteEnd(sql, at, "'", isEscaped) };
  }
  if (sign === '"') {
    const isString = dialect.doubleQuotedStrings;
    return { kind: isString ? "escaped string" : "name", end: quoteEnd(sql, at, '"', isString) };
  }
  if (sign === "`") return { kind: "backticks", end: quoteEnd(sql, at, "`", false) };
  if (sql.startsWith("--", at) || (sign === "#" && dialect.hashComments))
    return { kind: "comment", end: lineEnd(sql, at) };
  if (sql.startsWith("/*", at)) return { kind: "comment", end: endAfter(sql, "*/", at + 2) };
  if (sign !== "$" || !dialect.dollarQuotes || /\w/.test(sql[at - 1] ?? "")) return undefined;
  const tag = /^\$(?:[A-Za-z_]\w{0,62})?\$/.exec(sql.slice(at, at + 66))?.[0];
  return tag === undefined ? undefined : { kind: "dollars", end: endAfter(sql, tag, at + tag.length) };
}

/** `E'…'`, but not a name that ends in e. */
const isEscapeString = (sql: string, at: number) => /[eE]/.test(sql[at - 1] ?? "") && !/\w/.test(sql[at - 2] ?? "");

function quoteEnd(sql: string, from: number, quote: string, isEscaped: boolean): number {
  for (let at = from + 1; at < sql.length; at++) {
    if (isEscaped && sql[at] === "\\") at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at += 1;
    }
  }
  return sql.length;
}

function endAfter(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from);
  return found < 0 ? sql.length : found + mark.length;
}

function lineEnd(sql: string, from: number): number {
  const found = sql.indexOf("\n", from);
  return found < 0 ? sql.length : found + 1;
}

/** What roles call statements: one or several in SQL, as a JSON array of them, or either in base64. */
export function statementsIn(given: readonly string[], dialect: Dialect): string[] {
  return given.flatMap((text) => {
    const decoded = decodedBase64(text.trim());
    const list = jsonArray(decoded);
    return (list ?? splitAtSemicolons(decoded, dialect))
      .map((statement) => statement.trim())
      .filter((one) => one !== "");
  });
}

function decodedBase64(text: string): string {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return text;
  const decoded = Buffer.from(text, "base64").toString("utf8");
  return /\s/.test(decoded) && !decoded.includes("\ufffd") ? decoded : text;
}

function jsonArray(text: string): string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}

function splitAtSemicolons(sql: string, dialect: Dialect): string[] {
  const segments = segmentsOf(sql, dialect);
  // The body of a routine has semicolons of its own.
  if (segments.some(({ kind, text }) => kind === "plain" && /\bEND\b/i.test(text))) return [sql];
  const statements = [""];
  for (const { kind, text } of segments) {
    const [first = "", ...more] = kind === "plain" ? text.split(";") : [text];
    statements[statements.length - 1] += first;
    statements.push(...more);
  }
  return statements;
}

const placeholder = /\{\{\s{0,4}(\w{1,32})\s{0,4}\}\}/g;

export type StatementValues = Readonly<Record<string, string>>;

/** Fills in `{{name}}` and its like, in one pass: what a value looks like does not matter. */
export function fillStatement(sql: string, values: StatementValues, dialect: Dialect): string {
  return segmentsOf(sql, dialect)
    .map(({ kind, text }) =>
      text.replace(placeholder, (whole: string, name: string) =>
        Object.hasOwn(values, name) ? escaped(values[name]!, name, kind) : whole,
      ),
    )
    .join("");
}

function escaped(value: string, name: string, kind: Kind): string {
  if (value.includes("\0")) throw refused(`the value of {{${name}}} holds a NUL, which SQL cannot`);
  switch (kind) {
    case "string":
      return value.replaceAll("'", "''");
    case "escaped string":
      return value.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll('"', '\\"');
    case "name":
      return value.replaceAll('"', '""');
    case "backticks":
      return value.replaceAll("`", "``");
    default:
      return plain(value, name, kind);
  }
}

/** Where nothing is quoted, or where quoted text may be run as SQL again. */
function plain(value: string, name: string, kind: Kind): string {
  // A database that cannot read a statement quotes the place, and would quote the password.
  const isExposed = name === "password" && kind === "plain";
  if (!isExposed && /^[\w.@:+ -]*$/.test(value) && !value.includes("--")) return value;
  const place = kind === "dollars" ? "inside of dollar quotes" : "outside of quotes";
  throw refused(`the value of {{${name}}} cannot stand ${place}; put the placeholder into quotes`);
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
