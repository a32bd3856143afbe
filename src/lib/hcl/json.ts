/** Reads JSON into the same tree as HCL, with positions: an object is a body without labels. */
import type { HclError } from "./error.ts";
import type { Source } from "./source.ts";
import type { Body, Item, Position, Value } from "./syntax-tree.ts";

const blank = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /[a-z]+/y;
const longestNumber = 100;

export function parseJsonDocument(source: Source, maxDepth: number): Body {
  const reader = new JsonReader(source, maxDepth);
  return reader.document();
}

class JsonReader {
  readonly #source: Source;
  readonly #maxDepth: number;
  #depthLeft: number;
  #at: number;

  constructor(source: Source, maxDepth: number) {
    this.#source = source;
    this.#maxDepth = this.#depthLeft = maxDepth;
    this.#at = source.start;
  }

  document(): Body {
    this.#match(blank);
    const value = this.#value();
    if (value.kind !== "object")
      throw this.#source.error('the document must be an object: "{ … }"', this.#source.start);
    this.#match(blank);
    if (this.#at < this.#source.text.length) throw this.#unexpected("nothing after the document");
    return value;
  }

  #value(): Value {
    const position = this.#source.position(this.#at);
    const character = this.#source.text[this.#at];
    if (character === "{") return this.#nested(() => ({ kind: "object", items: this.#members(), position }));
    if (character === "[") return this.#nested(() => ({ kind: "list", items: this.#elements(), position }));
    if (character === '"') return { kind: "string", value: this.#string(), position };
    return this.#number(position) ?? this.#constant(position);
  }

  #members(): Item[] {
    const items: Item[] = [];
    this.#separated("}", () => {
      const position = this.#source.position(this.#at);
      if (this.#source.text[this.#at] !== '"') throw this.#unexpected("a key in double quotes");
      const key = this.#string();
      this.#match(blank);
      if (!this.#takes(":")) throw this.#unexpected('":" after a key');
      this.#match(blank);
      items.push({ key, labels: [], value: this.#value(), position });
    });
    return items;
  }

  #elements(): Value[] {
    const items: Value[] = [];
    this.#separated("]", () => items.push(this.#value()));
    return items;
  }

  #separated(closing: string, readOne: () => void): void {
    this.#match(blank);
    if (this.#takes(closing)) return;
    for (;;) {
      readOne();
      this.#match(blank);
      if (this.#takes(closing)) return;
      if (!this.#takes(",")) throw this.#unexpected(`"," or ${JSON.stringify(closing)}`);
      this.#match(blank);
    }
  }

  #string(): string {
    const { text } = this.#source;
    const start = this.#at;
    let end = start + 1;
    while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
    if (text[end] !== '"') throw this.#source.error("the string is not closed", start);
    this.#at = end + 1;
    try {
      return JSON.parse(text.slice(start, end + 1)) as string;
    } catch {
      throw this.#source.error("the string has an escape or a control character that JSON does not allow", start);
    }
  }

  #number(position: Position): Value | undefined {
    const text = this.#match(number);
    if (text === "") return undefined;
    const value = Number(text);
    if (text.length > longestNumber || !Number.isFinite(value)) {
      throw this.#source.error("the number is too large", this.#at - text.length);
    }
    return { kind: "number", value, text, position };
  }

  #constant(position: Position): Value {
    const start = this.#at;
    const text = this.#match(word);
    if (text === "true" || text === "false") return { kind: "boolean", value: text === "true", position };
    if (text === "null") return { kind: "null", position };
    this.#at = start;
    throw this.#unexpected("a value");
  }

  /** Steps over the opening mark, and refuses what would exhaust the stack. */
  #nested<Node>(read: () => Node): Node {
    if (this.#depthLeft === 0) throw this.#source.error(`nested deeper than ${this.#maxDepth} levels`, this.#at);
    this.#at++;
    this.#depthLeft--;
    const node = read();
    this.#depthLeft++;
    return node;
  }

  #takes(mark: string): boolean {
    if (this.#source.text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source.text)?.[0] ?? "";
    this.#at += text.length;
    return text;
  }

  #unexpected(expected: string): HclError {
    const found = this.#at >= this.#source.text.length ? "the end of the text" : this.#source.shown(this.#at);
    return this.#source.error(`expected ${expected}, found ${found}`, this.#at);
  }
}
