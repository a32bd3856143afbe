/** Comprehensions: what the macros amount to, without the accumulator that they are defined by. */
import { keyText } from "./access.ts";
import type { Comprehension, Expression, Loop } from "./ast.ts";
import type { Compiler } from "./compiler.ts";
import { EvaluationError, noSuchOverload } from "./errors.ts";
import type { Meter } from "./limits.ts";
import { absorbable } from "./logic.ts";
import type { Run, Step } from "./run.ts";
import { CelMap, isList, isMap, mapEntries, mapKeys, type Value } from "./values.ts";

/** Where the variables of a loop are kept. */
interface Slots {
  readonly first: number;
  readonly second: number | undefined;
}

export function compileLoop(compiler: Compiler, expression: Comprehension): Step {
  if (expression.loop.kind === "bind") return compileBind(compiler, expression);
  const range = compiler.compile(expression.range);
  const { loop } = expression;
  return compiler.withVariable(expression.variable, (first) => {
    if (expression.secondVariable === undefined)
      return compileKind(compiler, loop, range, { first, second: undefined });
    return compiler.withVariable(expression.secondVariable, (second) =>
      compileKind(compiler, loop, range, { first, second }),
    );
  });
}

function compileKind(compiler: Compiler, loop: Loop, range: Step, slots: Slots): Step {
  const optional = (part: Expression | undefined) => (part === undefined ? undefined : compiler.compile(part));
  switch (loop.kind) {
    case "all":
    case "exists":
      return quantifier(range, slots, compiler.compile(loop.test), loop.kind === "exists");
    case "existsOne":
      return existsOne(range, slots, compiler.compile(loop.test));
    case "list":
      return listLoop(range, slots, optional(loop.test), compiler.compile(loop.element));
    case "values":
      return valuesLoop(range, slots, optional(loop.test), compiler.compile(loop.value));
    case "entries":
      return entriesLoop(range, slots, optional(loop.test), compiler.compile(loop.entry));
    case "bind":
      throw new Error("a binding is no loop");
  }
}

function compileBind(compiler: Compiler, { accumulator, init, result }: Comprehension): Step {
  const value = compiler.compile(init);
  return compiler.withVariable(accumulator, (slot) => {
    const body = compiler.compile(result);
    return (run) => {
      run.meter.charge(1);
      run.slots[slot] = value(run);
      return body(run);
    };
  });
}

/** Calls `visit` for each element until it returns true. */
function iterate(run: Run, range: Value, { first, second }: Slots, visit: () => boolean): void {
  const { slots, meter } = run;
  if (isList(range)) {
    for (let at = 0; at < range.length; at++) {
      if (--meter.remaining < 0) meter.exhausted();
      slots[first] = second === undefined ? range[at]! : BigInt(at);
      if (second !== undefined) slots[second] = range[at]!;
      if (visit()) return;
    }
    return;
  }
  if (!isMap(range)) throw noSuchOverload();
  if (second === undefined) {
    iterate(run, mapKeys(range), { first, second }, visit);
    return;
  }
  for (const [key, value] of mapEntries(range)) {
    meter.charge(1);
    slots[first] = key;
    slots[second] = value;
    if (visit()) return;
  }
}

/** `exists` is decided by the first true, `all` by the first false; an error counts only if nothing decides. */
function quantifier(range: Step, slots: Slots, test: Step, decisive: boolean): Step {
  return (run) => {
    let isDecided = false;
    let failure: Error | undefined;
    iterate(run, range(run), slots, () => {
      try {
        const value = test(run);
        if (value === decisive) isDecided = true;
        else if (typeof value !== "boolean") failure ??= noSuchOverload();
      } catch (error) {
        failure ??= absorbable(run.meter, error);
      }
      return isDecided;
    });
    if (isDecided) return decisive;
    if (failure !== undefined) throw failure;
    return !decisive;
  };
}

function holds(value: Value): boolean {
  if (typeof value === "boolean") return value;
  throw noSuchOverload();
}

function existsOne(range: Step, slots: Slots, test: Step): Step {
  return (run) => {
    let count = 0;
    iterate(run, range(run), slots, () => {
      if (holds(test(run))) count++;
      return false;
    });
    return count === 1;
  };
}

function listLoop(range: Step, slots: Slots, test: Step | undefined, element: Step): Step {
  return (run) => {
    const list: Value[] = [];
    iterate(run, range(run), slots, () => {
      if (test === undefined || holds(test(run))) list.push(grow(run.meter, list.length, element(run)));
      return false;
    });
    return list;
  };
}

function grow(meter: Meter, length: number, value: Value): Value {
  // The size is checked now and then only; the budget of steps is checked every time.
  if ((length & 0xfff) === 0xfff) meter.chargeElements(length + 1);
  return value;
}

function valuesLoop(range: Step, slots: Slots, test: Step | undefined, value: Step): Step {
  return (run) => {
    const map = new CelMap();
    iterate(run, range(run), slots, () => {
      if (test === undefined || holds(test(run))) map.set(run.slots[slots.first] as string, value(run));
      return false;
    });
    return map;
  };
}

function entriesLoop(range: Step, slots: Slots, test: Step | undefined, entry: Step): Step {
  return (run) => {
    const map = new CelMap();
    iterate(run, range(run), slots, () => {
      if (test !== undefined && !holds(test(run))) return false;
      const made = entry(run);
      if (!isMap(made)) throw noSuchOverload();
      for (const [key, value] of mapEntries(made)) {
        run.meter.charge(1);
        if (map.has(key)) throw new EvaluationError(`insert failed: key ${keyText(key)} already exists`);
        map.set(key, value);
      }
      return false;
    });
    return map;
  };
}
