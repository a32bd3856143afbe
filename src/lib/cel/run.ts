/** One evaluation under way, and the closures that a program is made of. */
import type { Meter } from "./limits.ts";
import type { PlainMap, Value } from "./values.ts";

export interface Run {
  readonly meter: Meter;
  readonly variables: PlainMap;
  /** Variables of comprehensions, by the number that the compiler gave them. */
  readonly slots: Value[];
}

export type Step = (run: Run) => Value;
