/**
 * JSON that loses nothing and trusts nobody: numbers keep their digits, duplicate keys are refused,
 * depth and number of strings are bounded, and no key can reach a prototype.
 *
 * Objects come without a prototype. A number that a double cannot give back as written becomes a raw JSON value,
 * which `JSON.stringify` writes out digit for digit.
 */

export interface JsonLimits {
  readonly depth: number;
  /** Keys count as strings too. */
  readonly strings: number;
}

export type JsonObject = { [key: string]: unknown };

/** What the runtime makes of `JSON.rawJSON`: a frozen object whose text is the number. */
export interface RawNumber {
  readonly rawJSON: string;
}

const runtime = JSON as typeof JSON & { rawJSON(text: string): RawNumber; isRawJSON(value: unknown): boolean };

export const isRawNumber = (value: unknown): value is RawNumber => runtime.isRawJSON(value);

export class JsonError extends Error {
  override readonly name = "JsonError";
}

const unlimited: JsonLimits = { depth: 500, strings: Number.POSITIVE_INFINITY };

export function parseJson(text: string, limits: JsonLimits = unlimited): unknown {
  const parser = new Parser(text, limits);
  return parser.document();
}

/** A plain record: not an array, not null, not a raw number. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);

const quote = 0x22;
const backslash = 0x5c;

class Parser {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #depth = 0;
  #strings = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  document(): unknown {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail("unexpected text after the JSON value");
    return value;
  }

  #value(): unknown {
    this.#space();
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#nested(() => this.#object());
      case 0x5b:
        return this.#nested(() => this.#array());
      case quote:
        return this.#string();
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) {
      throw new JsonError(`refused JSON input due to high complexity: exceeded maximum depth of ${this.#limits.depth}`);
    }
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonObject {
    const object: JsonObject = Object.create(null);
    if (this.#closes(0x7d)) return object;
    for (;;) {
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== quote) this.#fail("expected a quoted key");
      const key = this.#string();
      if (object[key] !== undefined) throw new JsonError(`duplicate key ${JSON.stringify(key)} in a JSON object`);
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== 0x3a) this.#fail("expected ':' after a key");
      this.#at += 1;
      object[key] = this.#value();
      if (this.#closes(0x7d)) return object;
      this.#comma();
    }
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    if (this.#closes(0x5d)) return items;
    for (;;) {
      items.push(this.#value());
      if (this.#closes(0x5d)) return items;
      this.#comma();
    }
  }

  #closes(bracket: number): boolean {
    this.#space();
    if (this.#text.charCodeAt(this.#at) !== bracket) return false;
    this.#at += 1;
    return true;
  }

  #comma(): void {
    if (this.#text.charCodeAt(this.#at) !== 0x2c) this.#fail("expected ',' or the end of the list");
    this.#at += 1;
  }

  #string(): string {
    this.#strings += 1;
    if (this.#strings > this.#limits.strings) {
      throw new JsonError("refused JSON input due to high complexity: exceeded maximum number of strings");
    }
    const text = this.#text;
    const start = this.#at + 1;
    let escaped = false;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start - 1, at + 1) : text.slice(start, at);
      }
      if (code === backslash) {
        escaped = true;
        at += 1;
      } else if (code < 0x20) {
        this.#at = at;
        this.#fail("control character in a string");
      }
    }
    this.#at = text.length;
    return this.#fail("unexpected end of input in a string");
  }

  #unescape(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end));
    } catch {
      // The runtime's message would quote the text, which may be a secret.
      this.#at = start;
      return this.#fail("bad escape sequence in a string");
    }
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail("unexpected character");
    this.#at += word.length;
    return value;
  }

  #number(): unknown {
    const start = this.#at;
    if (this.#text.charCodeAt(this.#at) === 0x2d) this.#at += 1;
    if (this.#text.charCodeAt(this.#at) === 0x30) this.#at += 1;
    else this.#digits();
    if (this.#text.charCodeAt(this.#at) === 0x2e) {
      this.#at += 1;
      this.#digits();
    }
    if ((this.#text.charCodeAt(this.#at) | 0x20) === 0x65) {
      this.#at += 1;
      const sign = this.#text.charCodeAt(this.#at);
      if (sign === 0x2b || sign === 0x2d) this.#at += 1;
      this.#digits();
    }
    const written = this.#text.slice(start, this.#at);
    const number = Number(written);
    return String(number) === written ? number : runtime.rawJSON(written);
  }

  #digits(): void {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at);
      if (code < 0x30 || code > 0x39) break;
      this.#at += 1;
    }
    if (this.#at === start) this.#fail(start >= this.#text.length ? "unexpected end of input" : "unexpected character");
  }

  #space(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #fail(what: string): never {
    throw new JsonError(`${what} at character ${this.#at + 1}`);
  }
}
