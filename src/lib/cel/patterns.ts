/** Regular expressions that take linear time, compiled once. */
import { RE2JS } from "re2js";
import { EvaluationError } from "./errors.ts";
import type { Meter } from "./limits.ts";

/** Programs have few patterns; what a program computes must not fill the memory. */
const maximumCached = 500;
const maximumPatternLength = 4_096;
const cache = new Map<string, RE2JS>();

/** A pattern may run every state at every character; and it is compiled anew when others pushed it out. */
export function compilePattern(meter: Meter, pattern: string): RE2JS {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > maximumPatternLength) {
    throw new EvaluationError(`error parsing regexp: expression larger than ${maximumPatternLength} characters`);
  }
  meter.charge(20 + pattern.length);
  const compiled = compileNew(pattern);
  if (cache.size >= maximumCached) cache.delete(cache.keys().next().value!);
  cache.set(pattern, compiled);
  return compiled;
}

function compileNew(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new EvaluationError((error as Error).message);
  }
}

/** What a search through the text costs. */
export function chargeSearch(meter: Meter, pattern: string, text: string): void {
  meter.charge(1 + (text.length * Math.min(pattern.length, 64)) / 64);
}

export function matches(meter: Meter, text: string, pattern: string): boolean {
  const compiled = compilePattern(meter, pattern);
  chargeSearch(meter, pattern, text);
  return compiled.test(text);
}
