/** Counts the requests of each client for each quota, for one process or a whole node. */
import type { QuotaRule } from "./quota-table.ts";

export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the client may ask as often as before, rounded up. */
  readonly resetSeconds: number;
}

interface Window {
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly ends: number;
  remaining: number;
  blockedUntil: number;
}

export type RateRule = Pick<QuotaRule, "id" | "rate" | "interval" | "block_interval">;

/** Whoever counts: this process, or somebody who is asked. */
export interface RateCounter {
  take(rule: RateRule, client: string, now: number): RateVerdict | Promise<RateVerdict>;
  keepOnly(rules: readonly RateRule[]): void;
}

export class RateLimiter implements RateCounter {
  readonly #clients = new Map<string, Clients>();

  take(rule: RateRule, client: string, now: number): RateVerdict {
    const { limit, milliseconds } = allowance(rule);
    const window = this.#clientsOf(rule).window(client, limit, milliseconds, now);
    if (now < window.blockedUntil) return refused(limit, window.blockedUntil - now);
    if (window.remaining > 0) {
      window.remaining--;
      return { isAllowed: true, limit, remaining: window.remaining, resetSeconds: seconds(window.ends - now) };
    }
    if (rule.block_interval === 0) return refused(limit, window.ends - now);
    window.blockedUntil = now + rule.block_interval * 1000;
    return refused(limit, window.blockedUntil - now);
  }

  /** Forgets quotas that are no more. */
  keepOnly(rules: readonly RateRule[]): void {
    const kept = new Set(rules.map(keyOf));
    for (const key of this.#clients.keys()) if (!kept.has(key)) this.#clients.delete(key);
  }

  #clientsOf(rule: RateRule): Clients {
    const key = keyOf(rule);
    const existing = this.#clients.get(key);
    if (existing) return existing;
    const made = new Clients();
    this.#clients.set(key, made);
    return made;
  }
}

/** Clients in a generation: whoever has many addresses must not fill the memory. */
const generationSize = 25_000;

/** The windows of one quota, in two generations: who asks moves to the young one, who does not is forgotten with the old. */
class Clients {
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();

  window(client: string, limit: number, milliseconds: number, now: number): Window {
    const known = this.#young.get(client);
    if (known && isCurrent(known, now)) return known;
    const older = known ? undefined : this.#old.get(client);
    const window =
      older && isCurrent(older, now)
        ? older
        : { began: now, ends: now + milliseconds, remaining: limit, blockedUntil: 0 };
    if (this.#young.size >= generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(client, window);
    return window;
  }
}

/** A clock that was set back must not lock anybody out. */
const isCurrent = ({ began, ends, blockedUntil }: Window, now: number): boolean =>
  now >= began && now < Math.max(ends, blockedUntil);

/** Less than one request in an interval is one request in a longer interval. */
function allowance({ rate, interval }: RateRule): { limit: number; milliseconds: number } {
  return rate < 1
    ? { limit: 1, milliseconds: (interval * 1000) / rate }
    : { limit: Math.round(rate), milliseconds: interval * 1000 };
}

/** Counting goes on under the same key while a quota keeps its figures, whatever else changes. */
const keyOf = ({ id, rate, interval, block_interval }: RateRule): string =>
  `${id}/${rate}/${interval}/${block_interval}`;

const seconds = (milliseconds: number): number => Math.max(0, Math.ceil(milliseconds / 1000));

const refused = (limit: number, milliseconds: number): RateVerdict => ({
  isAllowed: false,
  limit,
  remaining: 0,
  resetSeconds: seconds(milliseconds),
});
