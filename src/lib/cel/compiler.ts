/** Turns a tree into closures: each node becomes a function that is called with the run. */

import { keyText } from "./access.ts";
import type { Comprehension, Expression, Identifier, List, MapLiteral, MessageLiteral, Select } from "./ast.ts";
import { buildMessage } from "./build-message.ts";
import { compileCall } from "./compile-call.ts";
import { compileLoop } from "./compile-loop.ts";
import type { Environment } from "./environment.ts";
import { EvaluationError, LimitError, noSuchOverload } from "./errors.ts";
import { hasField, selectField } from "./fields.ts";
import { Meter, type RunLimits } from "./limits.ts";
import { findName, firstName, qualifiedName } from "./names.ts";
import type { Step } from "./run.ts";
import { CelMap, isMapKey, Optional, type PlainMap, type Value } from "./values.ts";

export interface Program {
  /** Throws `EvaluationError`, and `LimitError` when the budget is used up. A meter may be shared by several runs. */
  evaluate(variables?: PlainMap, limits?: Meter | RunLimits): Value;
}

export function compile(tree: Expression, environment: Environment): Program {
  const compiler = new Compiler(environment);
  const step = compiler.compile(tree);
  return {
    evaluate(variables = {}, limits) {
      const meter = limits instanceof Meter ? limits : new Meter(limits);
      try {
        return step({ meter, variables, slots: new Array<Value>(compiler.slotCount) });
      } catch (error) {
        throw error instanceof RangeError ? tooDeep() : error;
      }
    },
  };
}

/** Programs are not deep, but data may be: comparing or printing it uses up the stack. */
const tooDeep = (): LimitError => new LimitError("the program was stopped: a value is nested too deeply");

interface Scope {
  readonly name: string;
  readonly slot: number;
  readonly outer: Scope | undefined;
}

export class Compiler {
  readonly environment: Environment;
  slotCount = 0;
  #scope: Scope | undefined;
  #depth = 0;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  compile(expression: Expression): Step {
    switch (expression.kind) {
      case "literal": {
        const { value } = expression;
        return () => value;
      }
      case "identifier":
        return this.#identifier(expression);
      case "select":
        return this.#select(expression);
      case "call":
        return compileCall(this, expression);
      case "list":
        return this.#list(expression);
      case "map":
        return this.#map(expression);
      case "message":
        return this.#message(expression);
      case "comprehension":
        return this.#comprehension(expression);
    }
  }

  /** Compiles with a further variable, of which `work` gets the slot. */
  withVariable<Result>(name: string, work: (slot: number) => Result): Result {
    const outer = this.#scope;
    const slot = this.#depth++;
    this.slotCount = Math.max(this.slotCount, this.#depth);
    this.#scope = { name, slot, outer };
    const result = work(slot);
    this.#scope = outer;
    this.#depth--;
    return result;
  }

  slotOf(name: string): number | undefined {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (scope.name === name) return scope.slot;
    return undefined;
  }

  #identifier({ name }: Identifier): Step {
    return this.#named(name) ?? this.#missing(name);
  }

  #missing(name: string): Step {
    const message = `no such attribute(s): ${this.environment.candidates(name).join(", ")}`;
    return () => {
      throw new EvaluationError(message);
    };
  }

  /** What a whole name with dots stands for, if anything. */
  #named(name: string): Step | undefined {
    const slot = this.slotOf(name);
    if (slot !== undefined) return ({ slots }) => slots[slot]!;
    if (this.slotOf(firstName(name)) !== undefined) return undefined;
    const found = findName(this.environment, name);
    if (found === undefined) return undefined;
    if (found.kind === "constant") {
      const { value } = found.constant;
      return () => value;
    }
    return this.#variable(found.name, name);
  }

  #variable(name: string, written: string): Step {
    const message = `no such attribute(s): ${this.environment.candidates(written).join(", ")}`;
    return ({ variables }) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined) throw new EvaluationError(message);
      return value;
    };
  }

  #select(expression: Select): Step {
    const { operand, field, test } = expression;
    const { messages } = this.environment;
    const name = qualifiedName(expression);
    const named = name === undefined ? undefined : this.#named(name);
    if (named !== undefined) return named;
    const from = this.compile(operand);
    if (test) return (run) => hasField(from(run), field, messages);
    return (run) => selectField(from(run), field, messages);
  }

  #list({ elements, optional }: List): Step {
    const steps = elements.map((element) => this.compile(element));
    const count = steps.length;
    if (optional.size === 0) {
      return (run) => {
        run.meter.chargeElements(count);
        const list = new Array<Value>(count);
        for (let at = 0; at < count; at++) list[at] = steps[at]!(run);
        return list;
      };
    }
    return (run) => {
      run.meter.chargeElements(count);
      const list: Value[] = [];
      for (const [at, step] of steps.entries()) {
        const value = optional.has(at) ? unwrap(step(run)) : step(run);
        if (value !== undefined) list.push(value);
      }
      return list;
    };
  }

  #map({ entries }: MapLiteral): Step {
    const steps = entries.map(({ key, value, optional }) => ({
      key: this.compile(key),
      value: this.compile(value),
      optional,
    }));
    return (run) => {
      run.meter.chargeElements(steps.length);
      const map = new CelMap();
      for (const step of steps) {
        const key = step.key(run);
        if (!isMapKey(key)) throw new EvaluationError("unsupported key type");
        if (map.has(key)) throw new EvaluationError(`Failed with repeated key ${keyText(key)}`);
        const value = step.optional ? unwrap(step.value(run)) : step.value(run);
        if (value !== undefined) map.set(key, value);
      }
      return map;
    };
  }

  #message({ name, entries }: MessageLiteral): Step {
    const { environment } = this;
    const type = environment
      .candidates(name)
      .map((each) => environment.messages.get(each))
      .find(Boolean);
    if (type === undefined) {
      return () => {
        throw new EvaluationError(`unknown type: ${name}`);
      };
    }
    const steps = entries.map(({ field, value, optional }) => ({ field, value: this.compile(value), optional }));
    return (run) => {
      run.meter.chargeElements(steps.length + 1);
      const given: [string, Value][] = [];
      for (const { field, value, optional } of steps) {
        const result = optional ? unwrap(value(run)) : value(run);
        if (result !== undefined) given.push([field, result]);
      }
      return buildMessage(type, given);
    };
  }

  #comprehension(expression: Comprehension): Step {
    return compileLoop(this, expression);
  }
}

/** What stands after a question mark must be an optional. */
function unwrap(value: Value): Value | undefined {
  if (value instanceof Optional) return value.value;
  throw noSuchOverload();
}
