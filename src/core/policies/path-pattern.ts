/**
 * The path of a rule: exact, a prefix (`*` as its last character), or with `+` in place of whole segments.
 * Anywhere else both signs stand for themselves.
 */

export interface PathPattern {
  /** As written, without a leading slash. */
  readonly text: string;
  /** What stands before the first wildcard: all of an exact path. */
  readonly head: string;
  readonly isExact: boolean;
  readonly isPrefix: boolean;
  /** What follows each `+`: empty at the end of the path, else beginning with a slash. */
  readonly afterWildcards: readonly string[];
}

const wildcardBeforeStar = "+*";

/** `+*` would read like a mixture of both wildcards, and is refused wherever a path is written. */
export const mixesWildcards = (text: string): boolean => text.includes(wildcardBeforeStar);

export const withoutLeadingSlash = (text: string): string => (text.startsWith("/") ? text.slice(1) : text);

export function parsePathPattern(text: string): PathPattern {
  const isPrefix = text.endsWith("*");
  const literal = isPrefix ? text.slice(0, -1) : text;
  const [head = "", ...afterWildcards] = splitAtWildcards(literal);
  return { text, head, isExact: !isPrefix && afterWildcards.length === 0, isPrefix, afterWildcards };
}

function splitAtWildcards(literal: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let plus = literal.indexOf("+"); plus !== -1; plus = literal.indexOf("+", plus + 1)) {
    const begins = plus === 0 || literal[plus - 1] === "/";
    const ends = plus === literal.length - 1 || literal[plus + 1] === "/";
    if (!begins || !ends) continue;
    pieces.push(literal.slice(from, plus));
    from = plus + 1;
  }
  pieces.push(literal.slice(from));
  return pieces;
}

/**
 * Whether the rest of a path that begins with the pattern's head fits the rest of the pattern. `segmentEnd` is where
 * the path's segment at the end of the head ends: all patterns with this head share it.
 */
export function matchesAfterHead(
  { head, isPrefix, afterWildcards }: PathPattern,
  path: string,
  segmentEnd: number,
): boolean {
  let at = head.length;
  let end = segmentEnd;
  for (const literal of afterWildcards) {
    if (!path.startsWith(literal, end)) return false;
    at = end + literal.length;
    end = endOfSegment(path, at);
  }
  return isPrefix || at === path.length;
}

export function endOfSegment(path: string, from: number): number {
  const slash = path.indexOf("/", from);
  return slash === -1 ? path.length : slash;
}

/** Whether some path that begins with this text could fit the pattern. */
export function mayMatchBelow({ head, isPrefix, afterWildcards }: PathPattern, start: string): boolean {
  if (start.length <= head.length) return head.startsWith(start);
  if (!start.startsWith(head)) return false;
  let at = head.length;
  for (const literal of afterWildcards) {
    const slash = start.indexOf("/", at);
    if (slash === -1) return true;
    const rest = start.slice(slash);
    if (rest.length <= literal.length) return literal.startsWith(rest);
    if (!rest.startsWith(literal)) return false;
    at = slash + literal.length;
  }
  return isPrefix || at === start.length;
}

/** Orders patterns that have the same head, the one that decides first. */
export function byPriority(a: PathPattern, b: PathPattern): number {
  if (a.isPrefix !== b.isPrefix) return a.isPrefix ? 1 : -1;
  const wildcards = a.afterWildcards.length - b.afterWildcards.length;
  if (wildcards !== 0) return wildcards;
  if (a.text.length !== b.text.length) return b.text.length - a.text.length;
  return a.text < b.text ? 1 : -1;
}
