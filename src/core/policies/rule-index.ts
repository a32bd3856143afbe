/**
 * Finds the one rule that decides about a path. Exact paths are in a map; all others are grouped by what stands before
 * their first wildcard, and of the groups whose head begins the path the longest wins: "later first wildcard" of the
 * priority rules. Sorted heads and a link from each to the next shorter one make that a binary search.
 */
import { byPriority, endOfSegment, matchesAfterHead } from "./path-pattern.ts";
import type { Permissions } from "./permissions.ts";

interface Group {
  readonly head: string;
  /** The one that decides first. */
  readonly members: Permissions[];
  /** The group with the longest head that this head begins with. */
  shorter: Group | undefined;
}

export class RuleIndex {
  readonly #exact = new Map<string, Permissions>();
  readonly #groups: readonly Group[];

  constructor(all: Iterable<Permissions>) {
    const groups = new Map<string, Group>();
    for (const permissions of all) {
      const { text, head, isExact } = permissions.pattern;
      if (isExact) this.#exact.set(text, permissions);
      else groupOf(groups, head).members.push(permissions);
    }
    this.#groups = [...groups.values()].sort((a, b) => (a.head < b.head ? -1 : 1));
    for (const [index, group] of this.#groups.entries()) {
      group.members.sort((a, b) => byPriority(a.pattern, b.pattern));
      group.shorter = longestBeginning(group.head, this.#groups[index - 1]);
    }
  }

  /** A list or scan of `x/` is also decided by rules for `x`, if there is none for `x/`. */
  find(path: string, isList: boolean): Permissions | undefined {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    if (!isList || !path.endsWith("/")) return this.#findWildcard(path);
    const trimmed = path.slice(0, -1);
    return this.#exact.get(trimmed) ?? this.#findWildcard(path) ?? this.#findWildcard(trimmed);
  }

  #findWildcard(path: string): Permissions | undefined {
    let group = longestBeginning(path, this.#lastUpTo(path));
    for (; group; group = group.shorter) {
      const segmentEnd = endOfSegment(path, group.head.length);
      for (const permissions of group.members) {
        if (matchesAfterHead(permissions.pattern, path, segmentEnd)) return permissions;
      }
    }
    return undefined;
  }

  /** The last group in order whose head is not after the path. */
  #lastUpTo(path: string): Group | undefined {
    let low = 0;
    let high = this.#groups.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#groups[middle]!.head <= path) low = middle + 1;
      else high = middle;
    }
    return this.#groups[low - 1];
  }
}

function groupOf(groups: Map<string, Group>, head: string): Group {
  const known = groups.get(head);
  if (known) return known;
  const group: Group = { head, members: [], shorter: undefined };
  groups.set(head, group);
  return group;
}

/**
 * Whatever lies in order between a beginning of a text and the text itself begins the same way. So all heads that
 * begin the text are found from the one just before it, by following the links.
 */
function longestBeginning(text: string, before: Group | undefined): Group | undefined {
  let group = before;
  while (group && !text.startsWith(group.head)) group = group.shorter;
  return group;
}
