/** Cuts HCL text into tokens. */
import { scanHeredoc } from "./heredoc.ts";
import { scanQuotedString } from "./quoted-string.ts";
import type { Source } from "./source.ts";

export type Token =
  | { readonly kind: "word" | "string"; readonly text: string; readonly offset: number }
  | { readonly kind: "number"; readonly text: string; readonly value: number; readonly offset: number }
  | { readonly kind: "mark"; readonly text: string; readonly offset: number }
  | { readonly kind: "end"; readonly text: ""; readonly offset: number };

const marks = new Set(["{", "}", "[", "]", "=", ","]);
const word = /[\p{L}_][\p{L}\p{Nd}_.-]*/uy;
/** Takes more than numbers can have, so that `10s` and `1.2.3` are one thing to complain about. */
const numberLike = /-?\.?\d(?:[eE][+-]?|[\p{L}\p{Nd}_.])*/uy;
const decimal = /^-?(?:0|[1-9][0-9]*|(?=\.))(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const octal = /^-?0[0-7]+$/;
const hexadecimal = /^-?0[xX][0-9a-fA-F]+$/;

/** Longer ones would make exact arithmetic on them expensive. */
const longestNumber = 100;

export class Scanner {
  readonly #source: Source;
  #at: number;

  constructor(source: Source) {
    this.#source = source;
    this.#at = source.start;
  }

  next(): Token {
    this.#skipBlanks();
    const { text } = this.#source;
    const offset = this.#at;
    if (offset >= text.length) return { kind: "end", text: "", offset };
    const character = text[offset]!;
    if (marks.has(character)) {
      this.#at++;
      return { kind: "mark", text: character, offset };
    }
    if (character === '"') return this.#string(offset, scanQuotedString(this.#source, offset));
    if (text.startsWith("<<", offset)) return this.#string(offset, scanHeredoc(this.#source, offset));
    const name = this.#match(word);
    if (name !== undefined) return { kind: "word", text: name, offset };
    const digits = this.#match(numberLike);
    if (digits !== undefined) return { kind: "number", text: digits, value: this.#number(digits, offset), offset };
    throw this.#source.error(`unexpected ${this.#source.shown(offset)}`, offset);
  }

  #string(offset: number, { value, end }: { value: string; end: number }): Token {
    this.#at = end;
    return { kind: "string", text: value, offset };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #number(digits: string, offset: number): number {
    const value = digits.length > longestNumber ? undefined : readNumber(digits);
    if (value === undefined || !Number.isFinite(value)) {
      const shown = digits.length > longestNumber ? `${digits.slice(0, longestNumber)}…` : digits;
      throw this.#source.error(`${JSON.stringify(shown)} is not a number: put other text in quotes`, offset);
    }
    return value;
  }

  #skipBlanks(): void {
    const { text } = this.#source;
    for (;;) {
      const character = text[this.#at];
      if (character === " " || character === "\t" || character === "\r" || character === "\n") this.#at++;
      else if (character === "#" || text.startsWith("//", this.#at)) this.#skipTo("\n");
      else if (text.startsWith("/*", this.#at)) this.#skipComment();
      else return;
    }
  }

  #skipTo(mark: string): void {
    const found = this.#source.text.indexOf(mark, this.#at);
    this.#at = found === -1 ? this.#source.text.length : found;
  }

  #skipComment(): void {
    const end = this.#source.text.indexOf("*/", this.#at + 2);
    if (end === -1) throw this.#source.error("the comment is not closed", this.#at);
    this.#at = end + 2;
  }
}

function readNumber(digits: string): number | undefined {
  if (decimal.test(digits)) return Number(digits);
  const sign = digits.startsWith("-") ? -1 : 1;
  const magnitude = sign === -1 ? digits.slice(1) : digits;
  if (octal.test(digits)) return sign * Number.parseInt(magnitude, 8);
  return hexadecimal.test(digits) ? sign * Number(magnitude) : undefined;
}
