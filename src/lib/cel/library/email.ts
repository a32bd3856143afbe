/** `check_valid_email`: whether a text is one address of RFC 5322, with a display name or without. */
import { type Library, overload } from "../declarations.ts";

const atomCharacter = /[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]/u;

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAddress(): boolean {
    if (!this.#space()) return false;
    const start = this.#at;
    if (this.#addrSpec() && this.#isAtEnd()) return true;
    this.#at = start;
    this.#phrase();
    return this.#take("<") && this.#addrSpec() && this.#take(">") && this.#isAtEnd();
  }

  #isAtEnd(): boolean {
    return this.#space() && this.#at === this.#text.length;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** White space and comments in parentheses, which may be nested; false if one is not closed. */
  #space(): boolean {
    for (;;) {
      while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
      if (this.#text[this.#at] !== "(") return true;
      let depth = 0;
      do {
        const character = this.#text[this.#at++];
        if (character === undefined) return false;
        if (character === "\\") this.#at++;
        else if (character === "(") depth++;
        else if (character === ")") depth--;
      } while (depth > 0);
    }
  }

  #phrase(): void {
    while (this.#quoted() || this.#atom() || this.#take(".")) this.#space();
  }

  #addrSpec(): boolean {
    if (!(this.#quotedLocal() || this.#dotAtom()) || !this.#take("@")) return false;
    return this.#dotAtom() || this.#domainLiteral();
  }

  /** The empty name between quotes is none. */
  #quotedLocal(): boolean {
    const start = this.#at;
    return this.#quoted() && this.#at - start > 2;
  }

  #dotAtom(): boolean {
    do if (!this.#atom()) return false;
    while (this.#take("."));
    return true;
  }

  #atom(): boolean {
    const start = this.#at;
    for (;;) {
      const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
      if (!atomCharacter.test(character)) return this.#at > start;
      this.#at += character.length;
    }
  }

  #quoted(): boolean {
    if (!this.#take('"')) return false;
    for (let character = this.#text[this.#at++]; character !== undefined; character = this.#text[this.#at++]) {
      if (character === '"') return true;
      if (character === "\\") this.#at++;
      else if (character < " " && character !== "\t") return false;
    }
    return false;
  }

  #domainLiteral(): boolean {
    if (!this.#take("[")) return false;
    const end = this.#text.indexOf("]", this.#at);
    const content = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return end !== -1 && /^[!-Z^-~]+$/.test(content);
  }
}

export const emailLibrary: Library = {
  overloads: [
    overload("check_valid_email_string", "check_valid_email(string) -> bool", (meter, text: string) => {
      meter.chargeReading(text.length * 4);
      return new AddressReader(text).isAddress();
    }),
  ],
};
