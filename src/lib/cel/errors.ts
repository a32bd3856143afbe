/** What can go wrong: a text that is no program, a program that fails, and one that asks for too much. */
import type { Source } from "./source.ts";

/** One remark about a place in the text. */
export interface Issue {
  readonly position: number;
  readonly message: string;
}

/** The text cannot be parsed, or does not type-check. The message points at every place. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly issues: readonly Issue[];

  constructor(source: Source, issues: readonly Issue[]) {
    super(issues.map((issue) => source.describe(issue)).join("\n"));
    this.issues = issues;
  }
}

/** A program failed at run time. `||`, `&&` and the quantifiers may absorb it. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";

  constructor(message: string) {
    // Programs make these by the thousand, and nobody wants to know where in this library it was.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
  }
}

/** A program used up its budget, or made a value that is too large. Nothing absorbs it. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

export const noSuchOverload = (detail?: string): EvaluationError =>
  new EvaluationError(detail === undefined ? "no such overload" : `no such overload: ${detail}`);
