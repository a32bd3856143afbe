/** Cuts a template into plain text and the tokens between `{{` and `}}`. */
import { TemplateError } from "./error.ts";

export type TokenKind =
  | "text"
  | "open"
  | "close"
  | "string"
  | "number"
  | "character"
  | "identifier"
  | "field"
  | "dot"
  | "variable"
  | "sign"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** What it stands for: strings without quotes, fields without their dot. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Whether white space stands before it: `a .b` are two operands, `a.b` is one. */
  readonly spaced: boolean;
}

const isSpace = (character: string | undefined) =>
  character === " " || character === "\t" || character === "\n" || character === "\r";
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
const isDigit = (character: string | undefined) => character !== undefined && character >= "0" && character <= "9";

export function tokensOf(source: string): Token[] {
  return new Lexer(source).all();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  all(): Token[] {
    let trimNext = false;
    while (this.#at < this.#source.length) {
      const open = this.#source.indexOf("{{", this.#at);
      const until = open === -1 ? this.#source.length : open;
      const trimsBefore = open !== -1 && this.#source[open + 2] === "-" && isSpace(this.#source[open + 3]);
      this.#text(this.#at, until, trimNext, trimsBefore);
      this.#at = until;
      if (open === -1) break;
      trimNext = this.#action(trimsBefore ? open + 3 : open + 2, open);
    }
    this.#push("end", "", this.#at, this.#at, false);
    return this.#tokens;
  }

  #text(start: number, end: number, trimStart: boolean, trimEnd: boolean): void {
    let text = this.#source.slice(start, end);
    if (trimStart) text = text.trimStart();
    if (trimEnd) text = text.trimEnd();
    if (text !== "") this.#push("text", text, start, end, false);
  }

  /** Reads up to and with `}}`; answers whether the text behind it loses its leading space. */
  #action(start: number, open: number): boolean {
    this.#at = start;
    this.#skipSpace();
    if (this.#source.startsWith("/*", this.#at)) return this.#comment(open);
    this.#push("open", "{{", open, start, false);
    for (;;) {
      const spaced = this.#skipSpace();
      if (this.#at >= this.#source.length) throw new TemplateError(this.#source, open, "unclosed action");
      if (this.#source.startsWith("}}", this.#at)) return this.#close(2);
      if (spaced && this.#source.startsWith("-}}", this.#at)) return this.#close(3);
      this.#token(spaced);
    }
  }

  #close(length: 2 | 3): boolean {
    this.#push("close", "}}", this.#at, this.#at + length, false);
    this.#at += length;
    return length === 3;
  }

  #comment(open: number): boolean {
    const end = this.#source.indexOf("*/", this.#at);
    if (end === -1) throw new TemplateError(this.#source, open, "unclosed comment");
    this.#at = end + 2;
    const spaced = this.#skipSpace();
    const trims = spaced && this.#source.startsWith("-}}", this.#at);
    if (!trims && !this.#source.startsWith("}}", this.#at)) {
      throw new TemplateError(this.#source, this.#at, "a comment ends before the action does");
    }
    this.#at += trims ? 3 : 2;
    return trims;
  }

  #token(spaced: boolean): void {
    const character = this.#source[this.#at]!;
    const next = this.#source[this.#at + 1];
    if (character === '"') this.#quoted(spaced);
    else if (character === "`") this.#raw(spaced);
    else if (character === "'") this.#character(spaced);
    else if (isDigit(character) || ((character === "+" || character === "-" || character === ".") && isDigit(next))) {
      this.#number(spaced);
    } else if (character === ".") {
      if (isWord(next)) this.#word("field", 1, spaced);
      else this.#sign("dot", ".", spaced);
    } else if (character === "$") this.#word("variable", 1, spaced);
    else if (isWord(character)) this.#word("identifier", 0, spaced);
    else if (this.#source.startsWith(":=", this.#at)) this.#sign("sign", ":=", spaced);
    else if ("|(),=".includes(character)) this.#sign("sign", character, spaced);
    else throw new TemplateError(this.#source, this.#at, `unexpected ${JSON.stringify(character)} in an action`);
  }

  #sign(kind: "dot" | "sign", text: string, spaced: boolean): void {
    this.#push(kind, text, this.#at, this.#at + text.length, spaced);
    this.#at += text.length;
  }

  #word(kind: TokenKind, skip: number, spaced: boolean): void {
    let end = this.#at + skip;
    while (isWord(this.#source[end])) end++;
    this.#push(kind, this.#source.slice(this.#at + skip, end), this.#at, end, spaced);
    this.#at = end;
  }

  #number(spaced: boolean): void {
    let end = this.#at + 1;
    while (isWord(this.#source[end]) || this.#source[end] === "." || this.#isExponentSign(end)) end++;
    this.#push("number", this.#source.slice(this.#at, end), this.#at, end, spaced);
    this.#at = end;
  }

  #isExponentSign(at: number): boolean {
    const sign = this.#source[at] === "+" || this.#source[at] === "-";
    return sign && /[eE]/.test(this.#source[at - 1] ?? "");
  }

  #quoted(spaced: boolean): void {
    const end = this.#closing('"');
    this.#push("string", this.#unescaped(this.#at + 1, end), this.#at, end + 1, spaced);
    this.#at = end + 1;
  }

  #character(spaced: boolean): void {
    const end = this.#closing("'");
    const text = this.#unescaped(this.#at + 1, end);
    if ([...text].length !== 1) throw new TemplateError(this.#source, this.#at, "malformed character constant");
    this.#push("character", text, this.#at, end + 1, spaced);
    this.#at = end + 1;
  }

  #raw(spaced: boolean): void {
    const end = this.#source.indexOf("`", this.#at + 1);
    if (end === -1) throw new TemplateError(this.#source, this.#at, "unterminated raw quoted string");
    this.#push("string", this.#source.slice(this.#at + 1, end), this.#at, end + 1, spaced);
    this.#at = end + 1;
  }

  #closing(quote: string): number {
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const character = this.#source[at];
      if (character === quote) return at;
      if (character === "\n") break;
      if (character === "\\") at++;
    }
    throw new TemplateError(this.#source, this.#at, "unterminated quoted string");
  }

  #unescaped(start: number, end: number): string {
    let text = "";
    for (let at = start; at < end; ) {
      const character = this.#source[at]!;
      if (character !== "\\") {
        text += character;
        at += 1;
        continue;
      }
      const [value, length] = this.#escape(at + 1, end);
      text += value;
      at += 1 + length;
    }
    return text;
  }

  #escape(at: number, end: number): [string, number] {
    const letter = this.#source[at] ?? "";
    const simple = simpleEscapes.get(letter);
    if (simple !== undefined) return [simple, 1];
    const digits = escapeLengths.get(letter);
    const hex = digits === undefined ? "" : this.#source.slice(at + 1, Math.min(at + 1 + digits, end));
    const code = Number.parseInt(hex, 16);
    if (digits === undefined || hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex) || code > 0x10ffff) {
      throw new TemplateError(this.#source, at - 1, "unknown escape sequence in a string");
    }
    return [String.fromCodePoint(code), 1 + digits];
  }

  #skipSpace(): boolean {
    const start = this.#at;
    while (isSpace(this.#source[this.#at])) this.#at++;
    return this.#at > start;
  }

  #push(kind: TokenKind, text: string, at: number, end: number, spaced: boolean): void {
    this.#tokens.push({ kind, text, at, end, spaced });
  }
}

const simpleEscapes = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
]);
const escapeLengths = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);
