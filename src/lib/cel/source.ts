/** The text of a program, and how a place in it is shown to a person. */
import type { Issue } from "./errors.ts";

export interface Place {
  /** Counted from one. */
  readonly line: number;
  /** Code points from the start of the line, counted from one. */
  readonly column: number;
}

/** A place that is none: the remark is about the text as a whole. */
export const wholeText = -1;

/** From here on characters may be drawn twice as wide; dots and caret are made as wide, as users of CEL elsewhere see it. */
const firstWideCharacter = 0x80;

export class Source {
  readonly text: string;
  readonly name: string;

  constructor(text: string, name = "<input>") {
    this.text = text;
    this.name = name;
  }

  place(position: number): Place {
    const lineStart = this.#lineStart(position);
    let line = 1;
    for (let at = this.text.indexOf("\n"); at !== -1 && at < lineStart; at = this.text.indexOf("\n", at + 1)) line++;
    return { line, column: [...this.text.slice(lineStart, position)].length + 1 };
  }

  describe({ position, message }: Issue): string {
    if (position === wholeText) return `ERROR: ${this.name}:-1:0: ${message}`;
    const { line, column } = this.place(position);
    return `ERROR: ${this.name}:${line}:${column}: ${message}${this.#pointer(position)}`;
  }

  #pointer(position: number): string {
    const start = this.#lineStart(position);
    const end = this.text.indexOf("\n", start);
    const shown = this.text.slice(start, end === -1 ? undefined : end).replaceAll("\t", " ");
    const before = [...shown.slice(0, position - start)].map((character) => (isWide(character) ? "．" : "."));
    const at = shown.codePointAt(position - start);
    return `\n | ${shown}\n | ${before.join("")}${at !== undefined && at >= firstWideCharacter ? "＾" : "^"}`;
  }

  #lineStart(position: number): number {
    return position === 0 ? 0 : this.text.lastIndexOf("\n", position - 1) + 1;
  }
}

const isWide = (character: string): boolean => character.codePointAt(0)! >= firstWideCharacter;
