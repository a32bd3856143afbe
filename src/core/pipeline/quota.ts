/** Refuses clients that ask more often than a quota allows. Counted in this process, by rules that all share. */
import { ApiError } from "../../api/errors.ts";
import type { Counter, Labeled } from "../metrics/metrics.ts";
import { type QuotaTable, storedQuotas } from "../quotas/quota-table.ts";
import { RateLimiter, type RateVerdict } from "../quotas/rate-limiter.ts";
import type { Exchange } from "./exchange.ts";
import type { Stage } from "./pipeline.ts";

export function limitRate(violations: Labeled<Counter>): Stage {
  const limiter = new RateLimiter();
  /** A request that is run again after a conflict is still one request. */
  const counted = new WeakSet<Exchange>();
  let known: QuotaTable | undefined;
  return async (exchange, next) => {
    const quotas = await storedQuotas(exchange.transaction!);
    if (quotas === undefined) return next();
    if (quotas !== known) {
      known = quotas;
      limiter.keepOnly(quotas.rules);
    }
    if (quotas.rules.length === 0 || counted.has(exchange)) return next();
    counted.add(exchange);
    const { path, now, source } = exchange.request;
    const rule = quotas.applyingTo(path, roleOf(exchange));
    if (!rule) return next();
    const verdict = limiter.take(rule, source.remoteAddress, now.getTime());
    if (verdict.isAllowed) return next();
    violations.with(rule.name).add();
    if (!quotas.settings.enable_rate_limit_audit_logging) exchange.audited = unaudited;
    throw exceeded(path, verdict, quotas.settings.enable_rate_limit_response_headers);
  };
}

const unaudited = { devices: [], headers: {} };

/** What a login says it wants to be; only logins have it. */
function roleOf({ request }: Exchange): string | undefined {
  if (request.operation !== "write" || !request.path.startsWith("auth/")) return undefined;
  const { role } = request.body as { readonly role?: unknown };
  return typeof role === "string" ? role : undefined;
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
