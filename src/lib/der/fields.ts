/** The members of a structure, taken one by one in their order; those that may be missing are asked for by their tag. */
import { DerError } from "./der-error.ts";
import { type Element, expectTag, readElements } from "./reader.ts";
import { tags } from "./tags.ts";

export class Fields {
  readonly #members: readonly Element[];
  #at = 0;

  constructor(element: Element | undefined, tag: number = tags.sequence) {
    this.#members = readElements(expectTag(element, tag).content);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#members.length;
  }

  /** Any element, whatever its tag. */
  next(): Element {
    const element = this.#members[this.#at];
    if (!element) throw new DerError("a structure ends too early");
    this.#at += 1;
    return element;
  }

  required(tag: number): Element {
    return expectTag(this.next(), tag);
  }

  optional(...allowed: readonly number[]): Element | undefined {
    const element = this.#members[this.#at];
    if (!element || !allowed.includes(element.tag)) return undefined;
    this.#at += 1;
    return element;
  }

  /** Nothing may follow that nobody asked for. */
  end(): void {
    if (!this.isAtEnd) throw new DerError("a structure has more members than it may have");
  }
}
