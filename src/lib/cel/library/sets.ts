/** Lists as sets. */
import { type Library, overload } from "../declarations.ts";
import { equals } from "../equality.ts";
import type { Meter } from "../limits.ts";
import type { Value } from "../values.ts";

type List = readonly Value[];

/** Comparing every element with every other is charged before it is done. */
function charge(meter: Meter, left: List, right: List): void {
  meter.charge(1 + (left.length * right.length) / 8);
}

const has = (meter: Meter, list: List, value: Value): boolean => list.some((each) => equals(meter, each, value));

function containsAll(meter: Meter, list: List, part: List): boolean {
  charge(meter, list, part);
  return part.every((value) => has(meter, list, value));
}

export const setsLibrary: Library = {
  overloads: [
    overload("list_sets_contains_list", "sets.contains(list(A), list(A)) -> bool", containsAll),
    overload(
      "list_sets_equivalent_list",
      "sets.equivalent(list(A), list(A)) -> bool",
      (meter, left: List, right: List) => containsAll(meter, left, right) && containsAll(meter, right, left),
    ),
    overload(
      "list_sets_intersects_list",
      "sets.intersects(list(A), list(A)) -> bool",
      (meter, left: List, right: List) => {
        charge(meter, left, right);
        return left.some((value) => has(meter, right, value));
      },
    ),
  ],
};
