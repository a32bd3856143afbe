/** Reads a text into a tree, expanding macros on the way. */
import {
  type Call,
  type Expression,
  type FieldEntry,
  type List,
  type MapEntry,
  type MapLiteral,
  type MessageLiteral,
  operators,
} from "./ast.ts";
import { type Issue, ProgramError } from "./errors.ts";
import { type Token, tokenize } from "./lexer.ts";
import { defaultParseLimits, type ParseLimits } from "./limits.ts";
import { LiteralError, readBytes, readDouble, readInt, readString, readUint } from "./literals.ts";
import { type Macro, MacroError, macroKey } from "./macro.ts";
import { type Source, wholeText } from "./source.ts";
import { constants, products, relations, reserved, sums } from "./words.ts";

export interface ParseOptions {
  readonly macros: ReadonlyMap<string, Macro>;
  /** `a.?b`, `a[?b]` and `?` before elements. */
  readonly optionalSyntax: boolean;
  readonly limits?: ParseLimits;
}

/** Throws `ProgramError`. */
export function parse(source: Source, options: ParseOptions): Expression {
  const limits = options.limits ?? defaultParseLimits;
  if (source.text.length > limits.sourceLength) {
    const message = `expression code point size exceeds limit: size: ${source.text.length}, limit ${limits.sourceLength}`;
    throw new ProgramError(source, [{ position: wholeText, message }]);
  }
  const { tokens, issues } = tokenize(source.text);
  const parser = new Parser(tokens, options, limits.depth);
  const tree = parser.run();
  const all = [...issues, ...parser.issues].sort((one, other) => one.position - other.position);
  if (all.length > 0) throw new ProgramError(source, all);
  return tree!;
}

const startOfExpression =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Reading cannot go on; the issue has been noted. */
const unreadable = Symbol("unreadable");

/** The depth of each node, as chains of operators grow the tree without nesting the parser. */
type Depths = WeakMap<Expression, number>;

class Parser {
  readonly issues: Issue[] = [];
  readonly #tokens: readonly Token[];
  readonly #options: ParseOptions;
  readonly #maximumDepth: number;
  readonly #depths: Depths = new WeakMap();
  #nesting = 0;
  #at = 0;

  constructor(tokens: readonly Token[], options: ParseOptions, maximumDepth: number) {
    this.#tokens = tokens;
    this.#options = options;
    this.#maximumDepth = maximumDepth;
  }

  run(): Expression | undefined {
    try {
      const tree = this.#expression();
      if (this.#token.kind !== "end") this.#unexpected("<EOF>");
      return tree;
    } catch (thrown) {
      if (thrown === unreadable) return undefined;
      throw thrown;
    }
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #is(symbol: string): boolean {
    const token = this.#tokens[this.#at]!;
    return token.kind === "symbol" && token.text === symbol;
  }

  #take(symbol: string): Token | undefined {
    return this.#is(symbol) ? this.#tokens[this.#at++] : undefined;
  }

  #expect(symbol: string, expected = `'${symbol}'`): Token {
    return this.#take(symbol) ?? this.#unexpected(expected);
  }

  #unexpected(expected: string): never {
    const { kind, text, position } = this.#token;
    const shown = kind === "end" ? "<EOF>" : text;
    const isSurplus = expected === "<EOF>" && kind !== "end" && this.#tokens[this.#at + 1]!.kind === "end";
    const problem = isSurplus ? "extraneous input" : "mismatched input";
    return this.#fail(position, `Syntax error: ${problem} '${shown}' expecting ${expected}`);
  }

  #fail(position: number, message: string): never {
    this.issues.push({ position, message });
    throw unreadable;
  }

  /** What can be read on is, so that a person gets to know of the next mistake as well. */
  #remark(position: number, message: string): void {
    this.issues.push({ position, message });
  }

  /** Notes how deep the node is. */
  #made<Node extends Expression>(node: Node, ...parts: readonly (Expression | undefined)[]): Node {
    let depth = 0;
    for (const part of parts) if (part !== undefined) depth = Math.max(depth, this.#depths.get(part) ?? 0);
    if (depth >= this.#maximumDepth) this.#fail(wholeText, "max recursion depth exceeded");
    this.#depths.set(node, depth + 1);
    return node;
  }

  #nested<Result>(read: () => Result): Result {
    if (++this.#nesting > this.#maximumDepth) {
      this.#fail(wholeText, `expression recursion limit exceeded: ${this.#maximumDepth}`);
    }
    const result = read();
    this.#nesting--;
    return result;
  }

  #call(name: string, position: number, ...parameters: Expression[]): Call {
    return this.#made({ kind: "call", position, name, target: undefined, parameters }, ...parameters);
  }

  #expression(): Expression {
    return this.#nested(() => {
      const condition = this.#logical("||", operators.or, () =>
        this.#logical("&&", operators.and, () => this.#relation()),
      );
      const question = this.#take("?");
      if (question === undefined) return condition;
      const yes = this.#logical("||", operators.or, () => this.#logical("&&", operators.and, () => this.#relation()));
      this.#expect(":");
      return this.#call(operators.conditional, question.position, condition, yes, this.#expression());
    });
  }

  /** Long chains become balanced trees: they are common in generated rules, and would be too deep otherwise. */
  #logical(symbol: string, name: string, operand: () => Expression): Expression {
    const operands = [operand()];
    const positions: number[] = [];
    for (let token = this.#take(symbol); token !== undefined; token = this.#take(symbol)) {
      positions.push(token.position);
      operands.push(operand());
    }
    return this.#balanced(name, operands, positions, 0, positions.length - 1);
  }

  #balanced(name: string, operands: Expression[], positions: number[], low: number, high: number): Expression {
    if (positions.length === 0) return operands[0]!;
    const middle = Math.trunc((low + high + 1) / 2);
    const left = middle === low ? operands[middle]! : this.#balanced(name, operands, positions, low, middle - 1);
    const right = middle === high ? operands[middle + 1]! : this.#balanced(name, operands, positions, middle + 1, high);
    return this.#call(name, positions[middle]!, left, right);
  }

  #chain(names: ReadonlyMap<string, string>, operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const { kind, text, position } = this.#token;
      const name = kind === "symbol" ? names.get(text) : undefined;
      if (name === undefined) return left;
      this.#at++;
      left = this.#call(name, position, left, operand());
    }
  }

  #relation(): Expression {
    return this.#chain(relations, () => this.#chain(sums, () => this.#chain(products, () => this.#unary())));
  }

  #unary(): Expression {
    // One minus before a number belongs to the number: only so can the least int be written.
    if (this.#startsNumber()) return this.#member();
    const { position } = this.#token;
    const name = this.#is("!") ? operators.not : operators.negate;
    const symbol = this.#is("!") ? "!" : "-";
    let count = 0;
    while (this.#take(symbol)) count++;
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#call(name, position, operand);
  }

  #startsNumber(): boolean {
    const next = this.#tokens[this.#at + 1];
    return this.#is("-") && (next?.kind === "int" || next?.kind === "double");
  }

  #member(): Expression {
    // Only a plain name, dotted or not, may be followed by the fields of a message.
    let { node, name } = this.#primary();
    for (;;) {
      const { position } = this.#token;
      if (name !== undefined && this.#is("{")) {
        node = this.#message(name);
        name = undefined;
      } else if (this.#take(".")) {
        const selected = this.#selection(node, position, name);
        node = selected.node;
        name = selected.name;
      } else if (this.#take("[")) {
        node = this.#index(node, position);
        name = undefined;
      } else return node;
    }
  }

  #selection(operand: Expression, position: number, name: string | undefined): { node: Expression; name?: string } {
    if (this.#is("?")) {
      this.#optionalMark(position, ".?");
      const field = this.#literal(this.#fieldName(), this.#tokens[this.#at - 1]!.position);
      return { node: this.#call(operators.optionalSelect, position, operand, field) };
    }
    const isQuoted = this.#token.kind === "quoted";
    const field = this.#fieldName();
    if (!isQuoted && this.#is("(")) return { node: this.#callOf(field, operand) };
    const node = this.#made({ kind: "select", position, operand, field, test: false } as const, operand);
    return name === undefined || isQuoted ? { node } : { node, name: `${name}.${field}` };
  }

  #fieldName(): string {
    const token = this.#token;
    if (token.kind !== "identifier" && token.kind !== "quoted") return this.#unexpected("IDENTIFIER");
    this.#at++;
    return token.kind === "quoted" ? token.text.slice(1, -1) : token.text;
  }

  #optionalMark(position: number, syntax: string): boolean {
    if (this.#take("?") === undefined) return false;
    if (!this.#options.optionalSyntax) this.#remark(position, `unsupported syntax '${syntax}'`);
    return true;
  }

  #index(operand: Expression, position: number): Expression {
    const name = this.#optionalMark(position, "[?") ? operators.optionalIndex : operators.index;
    const key = this.#expression();
    this.#expect("]");
    return this.#call(name, position, operand, key);
  }

  #primary(): { node: Expression; name?: string } {
    const { kind, text, position } = this.#token;
    if (kind === "symbol") return this.#primarySymbol();
    if (kind === "identifier") return this.#identifier("");
    if (kind === "end" || kind === "quoted") return this.#unexpected(startOfExpression);
    this.#at++;
    return { node: this.#readLiteral(kind, text, position) };
  }

  #primarySymbol(): { node: Expression; name?: string } {
    const { text, position } = this.#token;
    const constant = constants.get(text);
    if (constant !== undefined) {
      this.#at++;
      return { node: this.#literal(constant, position) };
    }
    if (text === "-" && this.#startsNumber()) {
      const number = this.#tokens[this.#at + 1]!;
      this.#at += 2;
      return { node: this.#readLiteral(number.kind, `-${number.text}`, position) };
    }
    if (this.#take("(")) {
      const node = this.#expression();
      this.#expect(")");
      return { node };
    }
    if (this.#take("[")) return { node: this.#list(position) };
    if (this.#take("{")) return { node: this.#map(position) };
    if (this.#take(".")) {
      if (this.#token.kind !== "identifier") this.#unexpected("IDENTIFIER");
      return this.#identifier(".");
    }
    return this.#unexpected(startOfExpression);
  }

  #identifier(prefix: string): { node: Expression; name?: string } {
    const { text, position } = this.#token;
    this.#at++;
    const name = prefix + text;
    if (this.#is("(")) return { node: this.#callOf(name, undefined) };
    if (reserved.has(text)) this.#remark(position, `reserved identifier: ${text}`);
    return { node: this.#made({ kind: "identifier", position, name }), name };
  }

  #literal(value: null | boolean | string, position: number): Expression {
    return this.#made({ kind: "literal", position, value });
  }

  #readLiteral(kind: Token["kind"], text: string, position: number): Expression {
    try {
      return this.#made({ kind: "literal", position, value: readConstant(kind, text) });
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      this.#remark(position, error.message);
      return this.#literal(null, position);
    }
  }

  #callOf(name: string, target: Expression | undefined): Expression {
    const { position } = this.#expect("(");
    const parameters = this.#sequence(")", () => this.#expression(), false);
    const call: Call = { kind: "call", position, name, target, parameters };
    this.#made(call, target, ...parameters);
    const macro =
      this.#options.macros.get(macroKey(name, parameters.length, target !== undefined)) ??
      this.#options.macros.get(macroKey(name, undefined, target !== undefined));
    if (macro === undefined) return call;
    try {
      const expanded = macro.expand(call);
      if (expanded !== undefined) this.#made(expanded, call);
      return expanded ?? call;
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#remark(error.position, error.message);
      return call;
    }
  }

  /** Elements up to the closing symbol, which is taken too. */
  #sequence<Element>(closing: string, read: () => Element, mayEndWithComma = true): Element[] {
    const elements: Element[] = [];
    if (this.#take(closing)) return elements;
    // `[,]` and `{,}` are empty: the grammar has the comma apart from the elements.
    if (mayEndWithComma && this.#take(",")) {
      this.#expect(closing);
      return elements;
    }
    for (;;) {
      elements.push(read());
      if (this.#take(closing)) return elements;
      this.#expect(",", mayEndWithComma ? `{'${closing}', ','}` : `{',', '${closing}'}`);
      if (mayEndWithComma && this.#take(closing)) return elements;
    }
  }

  #list(position: number): List {
    const optional = new Set<number>();
    let index = 0;
    const elements = this.#sequence("]", () => {
      if (this.#optionalMark(this.#token.position, "?")) optional.add(index);
      index++;
      return this.#expression();
    });
    return this.#made({ kind: "list", position, elements, optional }, ...elements);
  }

  #map(position: number): MapLiteral {
    const entries = this.#sequence("}", (): MapEntry => {
      const optional = this.#optionalMark(this.#token.position, "?");
      const key = this.#expression();
      const colon = this.#expect(":");
      return { position: colon.position, key, value: this.#expression(), optional };
    });
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return this.#made({ kind: "map", position, entries }, ...parts);
  }

  #message(name: string): MessageLiteral {
    const { position } = this.#expect("{");
    const entries = this.#sequence("}", (): FieldEntry => {
      const optional = this.#optionalMark(this.#token.position, "?");
      const field = this.#fieldName();
      const colon = this.#expect(":");
      return { position: colon.position, field, value: this.#expression(), optional };
    });
    return this.#made({ kind: "message", position, name, entries }, ...entries.map(({ value }) => value));
  }
}

function readConstant(kind: Token["kind"], text: string) {
  if (kind === "int") return readInt(text);
  if (kind === "uint") return readUint(text);
  if (kind === "double") return readDouble(text);
  return kind === "bytes" ? readBytes(text) : readString(text);
}
