/** A point in the history of a PostgreSQL store: which transactions were over when it was taken. */
import type { Point } from "./store.ts";

export interface HistoryPoint {
  /** Which start of which server the transaction numbers belong to. */
  readonly era: string;
  /** How often the changes had been pruned. */
  readonly generation: number;
  /** The first transaction that had not begun, or at least had not ended. */
  readonly next: bigint;
  /** Transactions before that one that were still under way. */
  readonly underWay: readonly bigint[];
}

/** From PostgreSQL's `xmin:xmax:xip,xip,…`; the first of these says nothing that the others do not. */
export function encodePoint(era: string, generation: string, snapshot: string): Point {
  return `${era}/${generation}/${snapshot.slice(snapshot.indexOf(":") + 1)}`;
}

export function decodePoint(point: Point): HistoryPoint | undefined {
  const [era, generation, snapshot] = point.split("/");
  const [next, underWay] = snapshot?.split(":") ?? [];
  if (era === undefined || !generation || !next || underWay === undefined) return undefined;
  if (![generation, next, ...list(underWay)].every((part) => /^\d{1,20}$/.test(part))) return undefined;
  return { era, generation: Number(generation), next: BigInt(next), underWay: list(underWay).map(BigInt) };
}

/** The point before both: whatever has happened since one of them has happened since this. */
export function earlier(one: HistoryPoint, other: HistoryPoint): HistoryPoint {
  return {
    era: one.era,
    generation: Math.min(one.generation, other.generation),
    next: one.next < other.next ? one.next : other.next,
    underWay: [...new Set([...one.underWay, ...other.underWay])],
  };
}

function list(numbers: string): string[] {
  return numbers === "" ? [] : numbers.split(",");
}
