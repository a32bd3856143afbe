/** Object identifiers as people write them: numbers with dots between. */

const longest = 256;

/** The first arc is 0, 1 or 2, and below 0 and 1 the second is at most 39 (X.660). */
export function isObjectIdentifier(text: string): boolean {
  if (text.length > longest || !/^[0-2](\.(0|[1-9]\d*))+$/.test(text)) return false;
  const [first, second] = text.split(".");
  return first === "2" || Number(second) <= 39;
}
