/** `&&`, `||`, `!` and `?:`: what decides wins, even beside an error. */
import { EvaluationError, noSuchOverload } from "./errors.ts";
import type { Meter } from "./limits.ts";
import type { Step } from "./run.ts";

/** Making and catching an error takes about as long as this many calls. */
const errorCost = 40;

/** The error, if an operator may pass over it; throws it otherwise. */
export function absorbable(meter: Meter, error: unknown): EvaluationError {
  if (!(error instanceof EvaluationError)) throw error;
  meter.charge(errorCost);
  return error;
}

/** `||` is decided by true, `&&` by false. */
export function logical(left: Step, right: Step, decisive: boolean): Step {
  return (run) => {
    let failure: EvaluationError | undefined;
    try {
      const value = left(run);
      if (value === decisive) return decisive;
      if (typeof value !== "boolean") failure = noSuchOverload();
    } catch (error) {
      failure = absorbable(run.meter, error);
    }
    if (failure === undefined) {
      const value = right(run);
      if (typeof value === "boolean") return value;
      throw noSuchOverload();
    }
    return decide(run, right, decisive, failure);
  };
}

function decide(run: Parameters<Step>[0], right: Step, decisive: boolean, failure: EvaluationError): boolean {
  try {
    if (right(run) === decisive) return decisive;
  } catch (error) {
    absorbable(run.meter, error);
  }
  throw failure;
}

export function conditional(condition: Step, yes: Step, no: Step): Step {
  return (run) => {
    const value = condition(run);
    if (value === true) return yes(run);
    if (value === false) return no(run);
    throw noSuchOverload();
  };
}

export function not(operand: Step): Step {
  return (run) => {
    const value = operand(run);
    if (typeof value === "boolean") return !value;
    throw noSuchOverload();
  };
}
