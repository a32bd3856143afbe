/** A request passes through stages in order; each may refuse it, or see the answer on its way back. */
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import type { Exchange } from "./exchange.ts";

export type Stage = Around | Before | After;

/** Sees the request and how it ends, whatever comes of it. */
export type Around = (exchange: Exchange, next: () => Promise<unknown>) => Promise<unknown>;

/** Looks at the request before those that follow, and refuses by throwing. */
export interface Before {
  /** Answers a promise only where it must wait: most requests pass most stages in one go. */
  before(exchange: Exchange): AtHand<void>;
}

/** Sees, and may replace, the answer of those that follow, if there is one. */
export interface After {
  after(exchange: Exchange, answer: unknown): AtHand<unknown>;
}

type Run = (exchange: Exchange) => Promise<unknown>;

export function pipeline(stages: readonly Stage[]): Run {
  let run: Run = async () => undefined;
  for (const stage of stages.toReversed()) run = joined(stage, run);
  return run;
}

function joined(stage: Stage, next: Run): Run {
  if (typeof stage === "function") return (exchange) => stage(exchange, () => next(exchange));
  if ("before" in stage) {
    return (exchange) => {
      const waiting = stage.before(exchange);
      return waiting instanceof Promise ? waiting.then(() => next(exchange)) : next(exchange);
    };
  }
  return (exchange) => next(exchange).then((answer) => stage.after(exchange, answer));
}

/** Several of them as one, innermost first: an answer that concerns none of them passes all in one go. */
export const inTurn = (...stages: readonly After[]): After => ({
  after: (exchange, answer) =>
    stages.reduce<AtHand<unknown>>(
      (given, stage) => withValue(given, (current) => stage.after(exchange, current)),
      answer,
    ),
});
