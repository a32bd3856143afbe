/** Cuts a text into words. */
import type { Issue } from "./errors.ts";

export type TokenKind = "symbol" | "identifier" | "quoted" | "int" | "uint" | "double" | "string" | "bytes" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** As written; of `end`, nothing. */
  readonly text: string;
  readonly position: number;
}

// Longest first. `in`, `true`, `false` and `null` are words of the language, so they are symbols too.
const symbols = ["==", "!=", "<=", ">=", "&&", "||", ..."<>()[]{}.,:?!+-*/%"];
const words = new Set(["in", "true", "false", "null"]);

const space = /[\t\n\f\r ]+/y;
const comment = /\/\/[^\n]*/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const quoted = /`[A-Za-z0-9_.\-/ ]+`/y;
const float = /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const integer = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?/y;
const stringStart = /(?:[bB][rR]?|[rR][bB]?)?(?:"""|'''|"|')/y;

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly issues: readonly Issue[];
}

export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = lengthAt(space, text, at) || lengthAt(comment, text, at);
    if (skipped > 0) {
      at += skipped;
      continue;
    }
    const token = tokenAt(text, at);
    if (token === undefined) {
      const length = unknownLength(text, at);
      issues.push({ position: at, message: `Syntax error: token recognition error at: '${shown(text, at, length)}'` });
      at += length;
      continue;
    }
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: "end", text: "", position: text.length });
  return { tokens, issues };
}

function tokenAt(text: string, at: number): Token | undefined {
  const make = (kind: TokenKind, length: number): Token => ({ kind, text: text.slice(at, at + length), position: at });
  const start = lengthAt(stringStart, text, at);
  if (start > 0) {
    const length = stringLength(text, at, start);
    if (length !== undefined) return make(/^[rR]?[bB]/.test(text.slice(at, at + 2)) ? "bytes" : "string", length);
    // An unclosed literal may still begin with a name: `b"` is the identifier `b` and a stray quote.
  }
  const name = lengthAt(identifier, text, at);
  if (name > 0) return make(words.has(text.slice(at, at + name)) ? "symbol" : "identifier", name);
  const real = lengthAt(float, text, at);
  if (real > 0) return make("double", real);
  const whole = lengthAt(integer, text, at);
  if (whole > 0) return make(/[uU]/.test(text[at + whole - 1]!) ? "uint" : "int", whole);
  const escaped = lengthAt(quoted, text, at);
  if (escaped > 0) return make("quoted", escaped);
  const symbol = symbols.find((each) => text.startsWith(each, at));
  return symbol === undefined ? undefined : make("symbol", symbol.length);
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

/** Length of the whole literal, or nothing if it is not closed. */
function stringLength(text: string, at: number, start: number): number | undefined {
  const opening = text.slice(at, at + start);
  const quote = opening.replace(/^[bBrR]+/, "");
  const isRaw = /[rR]/.test(opening);
  for (let end = at + start; end < text.length; end++) {
    if (text.startsWith(quote, end)) return end + quote.length - at;
    if (text[end] === "\\" && !isRaw) end++;
    else if (quote.length === 1 && (text[end] === "\n" || text[end] === "\r")) return undefined;
  }
  return undefined;
}

/** A stray `|`, `&` or `=` takes the character after it along, as it might have been a longer operator. */
function unknownLength(text: string, at: number): number {
  const first = text.codePointAt(at)! > 0xffff ? 2 : 1;
  return "|&=".includes(text[at]!) && at + 1 < text.length && text[at + 1] === " " ? 2 : first;
}

const shown = (text: string, at: number, length: number): string => text.slice(at, at + length);
