/** Fills in a parsed template, within a budget of steps and of output. */
import { FunctionError, TemplateError } from "./error.ts";
import { library, type Surroundings } from "./library.ts";
import type { Branch, Command, Node, Operand, Pipeline, Root } from "./syntax-tree.ts";
import { isList, isMap, isTrue, textOf, typeName, type Value } from "./value.ts";

export interface RenderLimits {
  readonly steps: number;
  /** Characters, also of every text on the way. */
  readonly output: number;
}

interface Variable {
  readonly name: string;
  value: Value;
}

type Jump = "break" | "continue" | undefined;

export class Evaluator {
  readonly #source: string;
  readonly #surroundings: Surroundings;
  readonly #limits: RenderLimits;
  readonly #variables: Variable[];
  #steps = 0;
  #output = "";

  constructor(source: string, data: Value, surroundings: Surroundings, limits: RenderLimits) {
    this.#source = source;
    this.#surroundings = surroundings;
    this.#limits = limits;
    this.#variables = [{ name: "", value: data }];
  }

  render(nodes: readonly Node[]): string {
    this.#run(nodes, this.#variables[0]!.value);
    return this.#output;
  }

  #run(nodes: readonly Node[], current: Value): Jump {
    for (const node of nodes) {
      const jump = this.#node(node, current);
      if (jump) return jump;
    }
    return undefined;
  }

  #node(node: Node, current: Value): Jump {
    this.#step(0);
    switch (node.kind) {
      case "text":
        this.#write(node.text, 0);
        return undefined;
      case "output": {
        const value = this.#pipeline(node.pipeline, current);
        if (node.pipeline.declares.length === 0 && node.pipeline.assigns === undefined) {
          // What is filled in becomes a name: one made of a value that is not there would be nobody's wish.
          if (value === null) this.#fail(node.pipeline.at, "the value is nil");
          this.#write(textOf(value), node.pipeline.at);
        }
        return undefined;
      }
      case "if":
      case "with":
        return this.#scoped(() => this.#branches(node.kind, node.branches, node.otherwise, current));
      case "range":
        return this.#scoped(() => this.#range(node, current));
      default:
        return node.kind;
    }
  }

  #branches(kind: "if" | "with", branches: readonly Branch[], otherwise: readonly Node[], current: Value): Jump {
    for (const { condition, body } of branches) {
      const value = this.#pipeline(condition, current);
      if (isTrue(value)) return this.#scoped(() => this.#run(body, kind === "with" ? value : current));
    }
    return this.#scoped(() => this.#run(otherwise, current));
  }

  #range(node: Node & { kind: "range" }, current: Value): Jump {
    const { pipeline, body, otherwise } = node;
    const value = this.#pipeline({ ...pipeline, declares: [] }, current);
    let any = false;
    for (const [key, item] of this.#entries(value, pipeline.at)) {
      any = true;
      this.#step(pipeline.at);
      const jump = this.#scoped(() => {
        this.#declareLoop(pipeline.declares, key, item);
        return this.#run(body, item);
      });
      if (jump === "break") break;
    }
    return any ? undefined : this.#run(otherwise, current);
  }

  #declareLoop(names: readonly string[], key: Value, item: Value): void {
    const [first, second] = names;
    if (first !== undefined && second !== undefined) this.#variables.push({ name: first, value: key });
    const last = second ?? first;
    if (last !== undefined) this.#variables.push({ name: last, value: item });
  }

  *#entries(value: Value, at: number): Generator<[Value, Value]> {
    if (value === null) return;
    if (isList(value)) for (const [index, item] of value.entries()) yield [BigInt(index), item];
    else if (isMap(value)) for (const key of Object.keys(value).sort()) yield [key, value[key]!];
    else if (typeof value === "bigint") for (let count = 0n; count < value; count++) yield [count, count];
    else this.#fail(at, `range can't iterate over a value of type ${typeName(value)}`);
  }

  #scoped<T>(work: () => T): T {
    const known = this.#variables.length;
    const result = work();
    this.#variables.length = known;
    return result;
  }

  #pipeline(pipeline: Pipeline, current: Value): Value {
    let value: Value | undefined;
    for (const command of pipeline.commands) value = this.#command(command, current, value);
    const result = value ?? null;
    for (const name of pipeline.declares) this.#variables.push({ name, value: result });
    if (pipeline.assigns !== undefined) this.#variable(pipeline.assigns).value = result;
    return result;
  }

  #command(command: Command, current: Value, piped: Value | undefined): Value {
    this.#step(command.at);
    if (command.kind === "operand") return this.#operand(command.operand, current, command.text);
    return this.#call(command.name, command.operands, current, piped, command);
  }

  #call(
    name: string,
    operands: readonly Operand[],
    current: Value,
    piped: Value | undefined,
    { at, text }: { at: number; text: string },
  ): Value {
    if (name === "and" || name === "or") return this.#shortCircuit(name, operands, current, piped, { at, text });
    const values = operands.map((operand) => this.#operand(operand, current, text));
    if (piped !== undefined) values.push(piped);
    const called = library.get(name)!;
    if (values.length < called.least || values.length > called.most) {
      this.#failAt(at, text, `wrong number of args for ${name}: got ${values.length}`);
    }
    try {
      const result = called.call(values, this.#surroundings);
      if (typeof result === "string" && result.length > this.#limits.output) this.#tooLong(at);
      return result;
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      return this.#failAt(at, text, `error calling ${name}: ${error.message}`);
    }
  }

  #shortCircuit(
    name: "and" | "or",
    operands: readonly Operand[],
    current: Value,
    piped: Value | undefined,
    { at, text }: { at: number; text: string },
  ): Value {
    let value: Value | undefined;
    for (const operand of operands) {
      value = this.#operand(operand, current, text);
      if (isTrue(value) === (name === "or")) return value;
    }
    value = piped ?? value;
    return value === undefined ? this.#failAt(at, text, `wrong number of args for ${name}: got 0`) : value;
  }

  #operand(operand: Operand, current: Value, text: string): Value {
    this.#step(operand.at);
    if (operand.kind === "constant") return operand.value;
    let value = this.#root(operand.root, operand.at, current, text);
    for (const { name, at } of operand.fields) value = this.#field(value, name, at);
    return value;
  }

  #root(root: Root, at: number, current: Value, text: string): Value {
    switch (root.kind) {
      case "current":
        return current;
      case "variable":
        return this.#variable(root.name).value;
      case "pipeline":
        return this.#pipeline(root.pipeline, current);
      default:
        return this.#call(root.name, [], current, undefined, { at, text });
    }
  }

  #field(value: Value, name: string, at: number): Value {
    const shown = `.${name}`;
    if (value === null) this.#failAt(at, shown, `nil has no field ${name}`);
    if (!isMap(value)) this.#failAt(at, shown, `can't evaluate field ${name} in type ${typeName(value)}`);
    if (!Object.hasOwn(value, name)) this.#failAt(at, shown, `map has no entry for key ${JSON.stringify(name)}`);
    return value[name]!;
  }

  #variable(name: string): Variable {
    return this.#variables.findLast((variable) => variable.name === name)!;
  }

  #write(text: string, at: number): void {
    if (this.#output.length + text.length > this.#limits.output) this.#tooLong(at);
    this.#output += text;
  }

  #step(at: number): void {
    this.#steps++;
    if (this.#steps > this.#limits.steps) this.#fail(at, `more than ${this.#limits.steps} steps`);
  }

  #tooLong(at: number): never {
    this.#fail(at, `more than ${this.#limits.output} characters of output`);
  }

  #failAt(at: number, text: string, message: string): never {
    this.#fail(at, `executing "template" at <${text}>: ${message}`);
  }

  #fail(at: number, message: string): never {
    throw new TemplateError(this.#source, at, message);
  }
}
