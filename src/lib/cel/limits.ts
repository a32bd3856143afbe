/** How much a program may ask for, before and while it runs. */
import { LimitError } from "./errors.ts";

export interface ParseLimits {
  /** Length of the text in UTF-16 units. */
  readonly sourceLength: number;
  /** How deep expressions may be nested, chains of operators included. */
  readonly depth: number;
}

export interface RunLimits {
  /** Calls, iterations, produced elements and characters (by the dozen) that one evaluation may take. */
  readonly steps: number;
  /** Elements of one list or map, and characters or bytes of one text. */
  readonly size: number;
}

export const defaultParseLimits: ParseLimits = { sourceLength: 100_000, depth: 250 };
export const defaultRunLimits: RunLimits = { steps: 100_000, size: 1_000_000 };

/** Copying this many characters counts as one step: about what a call costs. */
const charactersPerStep = 64;

/** Counts what a program consumes. Several evaluations may share one, and with it the budget. */
export class Meter {
  remaining: number;
  readonly #limits: RunLimits;

  constructor(limits: RunLimits = defaultRunLimits) {
    this.#limits = limits;
    this.remaining = limits.steps;
  }

  charge(steps: number): void {
    this.remaining -= Math.ceil(steps);
    if (this.remaining < 0) this.exhausted();
  }

  exhausted(): never {
    throw new LimitError(`the program was stopped: it takes more than ${this.#limits.steps} steps`);
  }

  /** To be called before a list or map of that many elements is made. */
  chargeElements(count: number): void {
    if (count > this.#limits.size) {
      throw new LimitError(`a list or map may have at most ${this.#limits.size} elements, not ${count}`);
    }
    this.charge(count);
  }

  /** To be called before that many characters or bytes are produced. */
  chargeText(length: number): void {
    if (length > this.#limits.size) {
      throw new LimitError(`a string or bytes value may have a length of at most ${this.#limits.size}, not ${length}`);
    }
    this.charge(1 + length / charactersPerStep);
  }

  /** Reading costs the same as producing, but may be of any length: the input came from outside. */
  chargeReading(length: number): void {
    this.charge(length / charactersPerStep);
  }
}
