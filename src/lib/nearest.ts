/** Guesses which known name somebody meant who wrote an unknown one. */

/** Nobody means a name this long by mistake, and comparing costs length times length. */
const longest = 64;

/** The known name that differs least, if it differs little enough to be a slip. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  if (written.length > longest) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(written.length / 3)) + 1;
  for (const name of known) {
    const distance = name.length > longest ? least : editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

/** How many letters must be inserted, removed, replaced, or swapped with their neighbor. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      let distance = Math.min(replaced, last[column]! + 1, current[column - 1]! + 1);
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped && row > 1 && column > 1) distance = Math.min(distance, beforeLast[column - 2]! + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
