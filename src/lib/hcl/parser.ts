/** Reads HCL, the first version of the language that server configurations and policies are written in, and JSON. */
import type { HclError } from "./error.ts";
import { parseJsonDocument } from "./json.ts";
import { Scanner, type Token } from "./scanner.ts";
import { Source } from "./source.ts";
import type { Body, Item, Label, List, Position, Value } from "./syntax-tree.ts";

export interface HclOptions {
  /** Without it, a document that begins with `{` is JSON. */
  readonly syntax?: "hcl" | "json" | undefined;
  /** In UTF-16 units. */
  readonly maxLength?: number;
  readonly maxDepth?: number;
}

const defaultMaxLength = 4 * 1024 * 1024;
const defaultMaxDepth = 64;

/** Throws `HclError`, and nothing else whatever the text is, in time that grows with its length only. */
export function parseHcl(text: string, options: HclOptions = {}): Body {
  const { maxLength = defaultMaxLength, maxDepth = defaultMaxDepth } = options;
  const source = new Source(text.length > maxLength ? "" : text);
  if (text.length > maxLength) throw source.error(`too long: more than ${maxLength} characters`, 0);
  const syntax = options.syntax ?? (text.slice(source.start).trimStart().startsWith("{") ? "json" : "hcl");
  return syntax === "json" ? parseJsonDocument(source, maxDepth) : new Parser(source, maxDepth).document();
}

class Parser {
  readonly #source: Source;
  readonly #scanner: Scanner;
  #token: Token;
  #depthLeft: number;
  readonly #maxDepth: number;

  constructor(source: Source, maxDepth: number) {
    this.#source = source;
    this.#scanner = new Scanner(source);
    this.#maxDepth = this.#depthLeft = maxDepth;
    this.#token = this.#scanner.next();
  }

  document(): Body {
    const position = this.#source.position(this.#source.start);
    return { kind: "object", items: this.#items("end"), position };
  }

  /** Items up to the closing mark, which is left for the caller. A comma may follow an item. */
  #items(closing: "}" | "end"): Item[] {
    const items: Item[] = [];
    while (this.#token.kind === "word" || this.#token.kind === "string") {
      items.push(this.#item());
      if (this.#isMark(",")) this.#advance();
    }
    const closed = closing === "}" ? this.#isMark("}") : this.#token.kind === "end";
    if (!closed) throw this.#unexpected(closing === "}" ? 'a key or "}"' : "a key or the end of the text");
    return items;
  }

  #item(): Item {
    const { text: key, offset } = this.#advance();
    const labels: Label[] = [];
    while (this.#token.kind === "word" || this.#token.kind === "string") {
      const label = this.#advance();
      labels.push({ text: label.text, position: this.#source.position(label.offset) });
    }
    const position = this.#source.position(offset);
    if (this.#isMark("{")) return { key, labels, value: this.#value(), position };
    if (labels.length > 0) throw this.#unexpected('"{" after a label');
    if (!this.#isMark("=")) throw this.#unexpected(`"=" or "{" after the key ${JSON.stringify(key)}`);
    this.#advance();
    return { key, labels, value: this.#value(), position };
  }

  #value(): Value {
    const token = this.#token;
    const position = this.#source.position(token.offset);
    if (this.#isMark("{")) return this.#nested(() => this.#object(position));
    if (this.#isMark("[")) return this.#nested(() => this.#list(position));
    if (token.kind === "number") {
      this.#advance();
      return { kind: "number", value: token.value, text: token.text, position };
    }
    if (token.kind === "string") {
      this.#advance();
      return { kind: "string", value: token.text, position };
    }
    if (token.kind === "word") return this.#truth(token.text, position);
    throw this.#unexpected("a value");
  }

  #truth(text: string, position: Position): Value {
    if (text !== "true" && text !== "false") throw this.#unexpected("a value (text needs quotes)");
    this.#advance();
    return { kind: "boolean", value: text === "true", position };
  }

  #object(position: Position): Body {
    const items = this.#items("}");
    this.#advance();
    return { kind: "object", items, position };
  }

  #list(position: Position): List {
    const items: Value[] = [];
    while (!this.#isMark("]")) {
      items.push(this.#value());
      if (this.#isMark(",")) this.#advance();
      else if (!this.#isMark("]")) throw this.#unexpected('"," or "]" after a list item');
    }
    this.#advance();
    return { kind: "list", items, position };
  }

  /** Steps over the opening mark, and refuses what would exhaust the stack. */
  #nested<Node>(read: () => Node): Node {
    if (this.#depthLeft === 0) {
      throw this.#source.error(`nested deeper than ${this.#maxDepth} levels`, this.#token.offset);
    }
    this.#advance();
    this.#depthLeft--;
    const node = read();
    this.#depthLeft++;
    return node;
  }

  #isMark(text: string): boolean {
    return this.#token.kind === "mark" && this.#token.text === text;
  }

  #advance(): Token {
    const token = this.#token;
    this.#token = this.#scanner.next();
    return token;
  }

  #unexpected(expected: string): HclError {
    return this.#source.error(`expected ${expected}, found ${describeToken(this.#token)}`, this.#token.offset);
  }
}

/** Strings are not shown: they may be secrets. */
function describeToken({ kind, text }: Token): string {
  if (kind === "end") return "the end of the text";
  if (kind === "string") return "a string";
  return kind === "number" ? "a number" : JSON.stringify(text);
}
