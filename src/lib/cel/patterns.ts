/** Regular expressions that take linear time, compiled once. */
import { RE2JS } from "re2js";
import { EvaluationError } from "./errors.ts";
import type { Meter } from "./limits.ts";

/** Programs have few patterns; what a program computes must not fill the memory. */
const maximumCached = 500;
const maximumPatternLength = 4_096;
/** A pattern and what it costs: the same whether it was compiled just now or long ago, so that budgets are fair. */
interface Compiled {
  readonly pattern: RE2JS;
  readonly compileCost: number;
  /** For each character that is searched: a pattern may have to keep track of every state it has. */
  readonly searchCost: number;
}

const cache = new Map<string, Compiled>();

export function compilePattern(meter: Meter, text: string): RE2JS {
  return compiledPattern(meter, text).pattern;
}

function compiledPattern(meter: Meter, text: string): Compiled {
  if (text.length > maximumPatternLength) {
    throw new EvaluationError(`error parsing regexp: expression larger than ${maximumPatternLength} characters`);
  }
  const known = cache.get(text);
  if (known !== undefined) {
    meter.charge(known.compileCost);
    return known;
  }
  meter.charge(text.length);
  const pattern = compileNew(text);
  const size = pattern.programSize();
  const compiled = { pattern, compileCost: 100 + 10 * text.length + 5 * size, searchCost: (1 + size / 32) / 8 };
  meter.charge(compiled.compileCost - text.length);
  if (cache.size >= maximumCached) cache.delete(cache.keys().next().value!);
  cache.set(text, compiled);
  return compiled;
}

function compileNew(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new EvaluationError((error as Error).message);
  }
}

/** The pattern, once the search of that text has been paid for. */
export function patternFor(meter: Meter, pattern: string, text: string): RE2JS {
  const compiled = compiledPattern(meter, pattern);
  meter.charge(text.length * compiled.searchCost);
  return compiled.pattern;
}

export const matches = (meter: Meter, text: string, pattern: string): boolean =>
  patternFor(meter, pattern, text).test(text);
