/** Counts the requests of each client for each quota, in this process. */
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

type RateRule = Pick<QuotaRule, "id" | "rate" | "interval" | "block_interval">;

/** Clients of one quota that are remembered at once; whoever has many addresses must not fill the memory. */
const mostClients = 50_000;

export class RateLimiter {
  /** By quota, then by the client's address in the order of their windows. */
  readonly #windows = new Map<string, Map<string, Window>>();

  take(rule: RateRule, client: string, now: number): RateVerdict {
    const clients = this.#clientsOf(rule);
    const { limit, milliseconds } = allowance(rule);
    const window = this.#window(clients, client, limit, milliseconds, now);
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
    for (const key of this.#windows.keys()) if (!kept.has(key)) this.#windows.delete(key);
  }

  #clientsOf(rule: RateRule): Map<string, Window> {
    const key = keyOf(rule);
    const existing = this.#windows.get(key);
    if (existing) return existing;
    const made = new Map<string, Window>();
    this.#windows.set(key, made);
    return made;
  }

  #window(clients: Map<string, Window>, client: string, limit: number, milliseconds: number, now: number): Window {
    const existing = clients.get(client);
    // A clock that was set back must not lock anybody out.
    if (existing && now >= existing.began && now < Math.max(existing.ends, existing.blockedUntil)) return existing;
    clients.delete(client);
    if (clients.size >= mostClients) makeRoom(clients, now);
    const window = { began: now, ends: now + milliseconds, remaining: limit, blockedUntil: 0 };
    clients.set(client, window);
    return window;
  }
}

/** Less than one request in an interval is one request in a longer interval. */
function allowance({ rate, interval }: RateRule): { limit: number; milliseconds: number } {
  return rate < 1
    ? { limit: 1, milliseconds: (interval * 1000) / rate }
    : { limit: Math.round(rate), milliseconds: interval * 1000 };
}

/** Counting goes on under the same key while a quota keeps its figures, whatever else changes. */
const keyOf = ({ id, rate, interval, block_interval }: RateRule): string =>
  `${id}/${rate}/${interval}/${block_interval}`;

function makeRoom(clients: Map<string, Window>, now: number): void {
  for (const [client, { ends, blockedUntil }] of clients) {
    if (now >= ends && now >= blockedUntil) clients.delete(client);
  }
  for (const client of clients.keys()) {
    if (clients.size < mostClients) return;
    clients.delete(client);
  }
}

const seconds = (milliseconds: number): number => Math.max(0, Math.ceil(milliseconds / 1000));

const refused = (limit: number, milliseconds: number): RateVerdict => ({
  isAllowed: false,
  limit,
  remaining: 0,
  resetSeconds: seconds(milliseconds),
});
