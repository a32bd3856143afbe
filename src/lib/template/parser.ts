/** Reads tokens into a tree: actions, pipelines, commands. Unknown functions and variables are refused here. */
import { TemplateError } from "./error.ts";
import { type Token, tokensOf } from "./lexer.ts";
import type { Branch, Command, Constant, FieldName, Node, Operand, Pipeline, Root } from "./syntax-tree.ts";

const longestTemplate = 65_536;
const deepest = 100;
/** With the limit on each value, this bounds what one call can make. */
const mostOperands = 64;

export function parseNodes(source: string, isFunction: (name: string) => boolean): readonly Node[] {
  if (source.length > longestTemplate) {
    throw new TemplateError(source, 0, `a template has at most ${longestTemplate} characters`);
  }
  return new Parser(source, isFunction).document();
}

const notSupported = new Set(["define", "template", "block"]);
const actionWords = new Set(["end", "else", "if", "with", "range", "break", "continue"]);

class Parser {
  readonly #source: string;
  readonly #isFunction: (name: string) => boolean;
  readonly #tokens: readonly Token[];
  /** Variables in sight; a block forgets those that it declared. */
  #variables = [""];
  #at = 0;
  #depth = 0;
  #loops = 0;

  constructor(source: string, isFunction: (name: string) => boolean) {
    this.#source = source;
    this.#isFunction = isFunction;
    this.#tokens = tokensOf(source);
  }

  document(): readonly Node[] {
    const nodes = this.#nodes();
    const next = this.#peek();
    if (next.kind !== "end") this.#fail(next.at, `unexpected {{${this.#word()}}}`);
    return nodes;
  }

  /** Everything up to an `end` or `else` that belongs to someone further out. */
  #nodes(): Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === "end") return nodes;
      if (token.kind === "text") {
        this.#at++;
        nodes.push({ kind: "text", text: token.text });
        continue;
      }
      const word = this.#word();
      if (word === "end" || word === "else") return nodes;
      nodes.push(this.#action(word));
    }
  }

  /** The word that an action begins with, if it is one. */
  #word(): string {
    const first = this.#tokens[this.#at + 1];
    return first?.kind === "identifier" ? first.text : "";
  }

  #action(word: string): Node {
    const open = this.#take();
    if (notSupported.has(word)) this.#fail(open.at, `{{${word}}} is not supported`);
    if (!actionWords.has(word)) {
      const pipeline = this.#pipeline("close", 1);
      this.#expectClose();
      return { kind: "output", pipeline };
    }
    this.#at++;
    if (word === "break" || word === "continue") return this.#jump(word, open.at);
    return this.#nested(open.at, () => this.#block(word, open.at));
  }

  #jump(word: "break" | "continue", at: number): Node {
    if (this.#loops === 0) this.#fail(at, `{{${word}}} outside {{range}}`);
    this.#expectClose();
    return { kind: word };
  }

  #block(word: string, at: number): Node {
    const known = this.#variables.length;
    const node = word === "range" ? this.#range(at) : this.#branches(word as "if" | "with", at);
    this.#variables.length = known;
    return node;
  }

  #range(at: number): Node {
    const pipeline = this.#pipeline("close", 2);
    this.#expectClose();
    this.#loops++;
    const body = this.#nodes();
    this.#loops--;
    const otherwise = this.#word() === "else" ? this.#plainElse() : [];
    this.#end(at, "range");
    return { kind: "range", pipeline, body, otherwise };
  }

  #branches(kind: "if" | "with", at: number): Node {
    const branches: Branch[] = [this.#branch()];
    let otherwise: readonly Node[] = [];
    while (this.#peek().kind === "open" && this.#word() === "else") {
      const chained = this.#tokens[this.#at + 2];
      if (chained?.kind !== "identifier" || chained.text !== kind) {
        otherwise = this.#plainElse();
        break;
      }
      this.#at += 3;
      branches.push(this.#branch());
    }
    this.#end(at, kind);
    return { kind, branches, otherwise };
  }

  #branch(): Branch {
    const condition = this.#pipeline("close", 1);
    this.#expectClose();
    return { condition, body: this.#nodes() };
  }

  #plainElse(): readonly Node[] {
    this.#at += 2;
    this.#expectClose();
    return this.#nodes();
  }

  #end(at: number, word: string): void {
    if (this.#peek().kind !== "open" || this.#word() !== "end") this.#fail(at, `{{${word}}} without {{end}}`);
    this.#at += 2;
    this.#expectClose();
  }

  #pipeline(closing: "close" | ")", most: 1 | 2): Pipeline {
    const at = this.#peek().at;
    const { declares, assigns } = this.#names(closing === ")" ? 0 : most);
    const commands: Command[] = [];
    for (;;) {
      commands.push(this.#command(closing, commands.length > 0));
      if (!this.#isSign("|")) break;
      this.#at++;
    }
    this.#variables.push(...declares);
    return { at, commands, declares, assigns };
  }

  /** `$x :=`, `$x =` or, for a range, `$i, $x :=`. */
  #names(most: 0 | 1 | 2): { declares: string[]; assigns: string | undefined } {
    const [first, sign, second, last] = this.#tokens.slice(this.#at, this.#at + 4);
    if (most === 0 || first?.kind !== "variable" || sign?.kind !== "sign") return { declares: [], assigns: undefined };
    if (sign.text === ":=") {
      this.#at += 2;
      return { declares: [first.text], assigns: undefined };
    }
    if (sign.text === "=") {
      this.#requireVariable(first);
      this.#at += 2;
      return { declares: [], assigns: first.text };
    }
    if (most === 2 && sign.text === "," && second?.kind === "variable" && last?.text === ":=") {
      this.#at += 4;
      return { declares: [first.text, second.text], assigns: undefined };
    }
    return { declares: [], assigns: undefined };
  }

  #command(closing: "close" | ")", piped: boolean): Command {
    const first = this.#peek();
    const operands: Operand[] = [];
    while (!this.#commandEnds(closing)) {
      const token = this.#peek();
      if (operands.length > 0 && !token.spaced) this.#fail(token.at, "expected a space between operands");
      operands.push(this.#operand());
      if (operands.length > mostOperands) this.#fail(token.at, `more than ${mostOperands} arguments`);
    }
    const [head, ...rest] = operands;
    if (!head) this.#fail(first.at, "missing value for command");
    const text = this.#source.slice(first.at, this.#tokens[this.#at - 1]!.end);
    if (head.kind === "path" && head.root.kind === "function" && head.fields.length === 0) {
      return { kind: "call", at: first.at, text, name: head.root.name, operands: rest };
    }
    if (rest.length > 0) this.#fail(rest[0]!.at, "only a function takes arguments");
    if (piped) this.#fail(first.at, "only a function can stand behind |");
    return { kind: "operand", at: first.at, text, operand: head };
  }

  #commandEnds(closing: "close" | ")"): boolean {
    const token = this.#peek();
    if (token.kind === "end") this.#fail(token.at, "unclosed action");
    if (this.#isSign("|")) return true;
    if (closing === "close") return token.kind === "close";
    if (token.kind === "close") this.#fail(token.at, "unclosed left parenthesis");
    return this.#isSign(")");
  }

  #operand(): Operand {
    const token = this.#take();
    switch (token.kind) {
      case "string":
        return { kind: "constant", at: token.at, value: token.text };
      case "character":
        return { kind: "constant", at: token.at, value: BigInt(token.text.codePointAt(0)!) };
      case "number":
        return { kind: "constant", at: token.at, value: this.#numberOf(token) };
      case "dot":
        return this.#path(token.at, { kind: "current" }, []);
      case "field":
        return this.#path(token.at, { kind: "current" }, [{ name: token.text, at: token.at }]);
      case "variable":
        this.#requireVariable(token);
        return this.#path(token.at, { kind: "variable", name: token.text }, []);
      case "identifier":
        return this.#name(token);
      default:
        if (token.kind === "sign" && token.text === "(") return this.#parentheses(token);
        return this.#fail(token.at, `unexpected ${JSON.stringify(token.text)} in an action`);
    }
  }

  #name(token: Token): Operand {
    const constant = constants.get(token.text);
    if (constant !== undefined) return { kind: "constant", at: token.at, value: constant };
    if (!this.#isFunction(token.text)) this.#fail(token.at, `function ${JSON.stringify(token.text)} not defined`);
    return this.#path(token.at, { kind: "function", name: token.text }, []);
  }

  #parentheses(open: Token): Operand {
    const pipeline = this.#nested(open.at, () => this.#pipeline(")", 1));
    this.#at++;
    return this.#path(open.at, { kind: "pipeline", pipeline }, []);
  }

  #path(at: number, root: Root, start: readonly FieldName[]): Operand {
    const fields = [...start];
    while (this.#peek().kind === "field" && !this.#peek().spaced) {
      const { text, at } = this.#take();
      fields.push({ name: text, at });
    }
    return { kind: "path", at, root, fields };
  }

  #numberOf({ text, at }: Token): bigint | number {
    const negative = text.startsWith("-");
    const digits = (/^[+-]/.test(text) ? text.slice(1) : text).replaceAll("_", "");
    if (/^(\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(digits)) {
      const value = BigInt(digits);
      return negative ? -value : value;
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) this.#fail(at, "bad number syntax");
    return negative ? -value : value;
  }

  #requireVariable({ text, at }: Token): void {
    if (!this.#variables.includes(text)) this.#fail(at, `undefined variable "$${text}"`);
  }

  #nested<T>(at: number, read: () => T): T {
    this.#depth++;
    if (this.#depth > deepest) this.#fail(at, `more than ${deepest} levels of nesting`);
    const value = read();
    this.#depth--;
    return value;
  }

  #expectClose(): void {
    const token = this.#take();
    if (token.kind !== "close") this.#fail(token.at, `unexpected ${JSON.stringify(token.text)} in an action`);
  }

  #isSign(text: string): boolean {
    const token = this.#peek();
    return token.kind === "sign" && token.text === text;
  }

  #peek(): Token {
    return this.#tokens[this.#at]!;
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== "end") this.#at++;
    return token;
  }

  #fail(at: number, message: string): never {
    throw new TemplateError(this.#source, at, message);
  }
}

const constants = new Map<string, Constant>([
  ["true", true],
  ["false", false],
  ["nil", null],
]);
