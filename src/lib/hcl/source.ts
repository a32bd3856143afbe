/** The text being read, and where in it a character stands. */
import { HclError } from "./error.ts";
import type { Position } from "./syntax-tree.ts";

const byteOrderMark = 0xfeff;

export class Source {
  readonly text: string;
  /** Where reading begins: after a byte order mark, if there is one. */
  readonly start: number;
  readonly #lineStarts: number[];

  constructor(text: string) {
    this.text = text;
    this.start = text.charCodeAt(0) === byteOrderMark ? 1 : 0;
    this.#lineStarts = [this.start];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#lineStarts.push(at + 1);
  }

  position(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#lineStarts[low]! + 1 };
  }

  error(reason: string, offset: number): HclError {
    return new HclError(reason, this.position(offset));
  }

  /** The character at this place in quotes, whole even if it takes two UTF-16 units. */
  shown(offset: number): string {
    return JSON.stringify(String.fromCodePoint(this.text.codePointAt(offset)!));
  }
}
