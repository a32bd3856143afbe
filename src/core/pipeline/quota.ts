/** Refuses clients that ask more often than a quota allows. Counted for this node, by rules that all nodes share. */
import type { Storage } from "../../api/engine.ts";
import { ApiError } from "../../api/errors.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import type { Counter, Labeled } from "../metrics/metrics.ts";
import { isRootNamespace, type Namespace, rootNamespace, wayDown } from "../namespaces/namespace.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
import { lineageOf } from "../namespaces/stored-namespace.ts";
import { noQuotas, type QuotaRule, type QuotaTable, storedQuotas } from "../quotas/quota-table.ts";
import { type RateCounter, RateLimiter, type RateVerdict } from "../quotas/rate-limiter.ts";
import type { Exchange } from "./exchange.ts";
import type { Before } from "./pipeline.ts";

const countHere = () => new RateLimiter();

/** The role that a login names in the way of its own auth method. */
export type LoginRole = (exchange: Exchange) => Promise<string | undefined>;

export function limitRate(
  violations: Labeled<Counter>,
  loginRole: LoginRole,
  newCounter: () => RateCounter = countHere,
): Before {
  const limiters = new Limiters(newCounter, loginRole);
  /** A request that is run again after a conflict is still one request. */
  const counted = new WeakSet<Exchange>();
  const judge = async (exchange: Exchange, common: QuotaTable, found: Found) => {
    const { path, now, source } = exchange.request;
    if (counted.has(exchange) || common.isExempt(path) || common.isExempt(exchange.namespace.path + path)) return;
    counted.add(exchange);
    const { settings } = common;
    const verdict = await found.limiter.take(found.rule, source.remoteAddress, now.getTime());
    if (verdict.isAllowed) return;
    violations.with(found.rule.name).add();
    if (!settings.enable_rate_limit_audit_logging) exchange.audited = unaudited;
    throw exceeded(path, verdict, settings.enable_rate_limit_response_headers);
  };
  return {
    before: (exchange) =>
      withValue(storedQuotas(exchange.transaction!), (root) => {
        const found = isRootNamespace(exchange.namespace)
          ? root && ruleOf(root, rootNamespace, limiters, exchange)
          : inNamespace(exchange, exchange.transaction!, limiters);
        return withValue(found, (each) => each && judge(exchange, root ?? noQuotas, each));
      }),
  };
}

interface Found {
  readonly rule: QuotaRule;
  readonly limiter: RateCounter;
}

/** Its own rules first, then those of the namespaces that it lies in, from the inside out. */
async function inNamespace(exchange: Exchange, whole: Storage, limiters: Limiters): Promise<Found | undefined> {
  for (const each of await lineageOf(exchange.namespace, whole)) {
    const table = await storedQuotas(storageOf(each, whole));
    const found = table && (await ruleOf(table, each, limiters, exchange));
    if (found) return found;
  }
  return undefined;
}

function ruleOf(
  table: QuotaTable,
  owner: Namespace,
  limiters: Limiters,
  exchange: Exchange,
): AtHand<Found | undefined> {
  const limiter = limiters.of(table, owner);
  if (table.rules.length === 0) return undefined;
  const asked = table.hasRoles ? roleOf(exchange, limiters.loginRole) : undefined;
  return withValue(asked, (role) => {
    const rule = table.applyingTo(exchange.request.path, role, wayDown(owner, exchange.namespace));
    return rule && { rule, limiter };
  });
}

/** So many namespaces count at once; who comes back after more than these begins at 0. */
const mostLimiters = 1000;

class Limiters {
  readonly loginRole: LoginRole;
  readonly #newCounter: () => RateCounter;
  readonly #known = new Map<string, { table: QuotaTable; readonly limiter: RateCounter }>();

  constructor(newCounter: () => RateCounter, loginRole: LoginRole) {
    this.loginRole = loginRole;
    this.#newCounter = newCounter;
  }

  of(table: QuotaTable, { id }: Namespace): RateCounter {
    const known = this.#known.get(id);
    if (!known) return this.#add(table, id);
    if (known.table !== table) {
      known.table = table;
      known.limiter.keepOnly(table.rules);
    }
    return known.limiter;
  }

  #add(table: QuotaTable, id: string): RateCounter {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostLimiters && oldest !== undefined) this.#known.delete(oldest);
    const limiter = this.#newCounter();
    this.#known.set(id, { table, limiter });
    return limiter;
  }
}

const unaudited = { devices: [], headers: {} };

/** What a login says it wants to be; only logins have it. */
function roleOf(exchange: Exchange, loginRole: LoginRole): AtHand<string | undefined> {
  const { operation, path, body } = exchange.request;
  if (operation !== "write" || !path.startsWith("auth/")) return undefined;
  const { role } = body as { readonly role?: unknown };
  return typeof role === "string" ? role : loginRole(exchange);
}

function exceeded(path: string, { limit, remaining, resetSeconds }: RateVerdict, withHeaders: boolean): ApiError {
  const headers = {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetSeconds),
    "retry-after": String(resetSeconds),
  };
  const message = `request path ${JSON.stringify(path)}: rate limit quota exceeded`;
  return new ApiError(429, message, withHeaders ? { headers } : {});
}
