/** How long a token or lease may live, at its creation and at each renewal alike. */
import { invalidRequest } from "../../api/errors.ts";
import { formatDuration } from "../../lib/duration.ts";

export interface LifetimeRules {
  /** Seconds when nothing is asked for; 0 for the mount's own. */
  readonly ttl: number;
  /** Longest life since creation in seconds; 0 for the mount's own. */
  readonly maxTtl: number;
  /** A hard end that renewal and period cannot pass; 0 for none. */
  readonly explicitMaxTtl: number;
  /** Renewed for this long again and again; 0 for not periodic. */
  readonly period: number;
  readonly mountDefault: number;
  readonly mountMax: number;
}

export interface Lifetime {
  readonly seconds: number;
  readonly warnings: readonly string[];
}

/** `age` is the time since creation, `asked` what the request wants; both in seconds, 0 for none. */
export function lifetimeOf(rules: LifetimeRules, age: number, asked: number): Lifetime {
  return rules.period > 0 ? periodic(rules, age) : limited(rules, age, asked);
}

function limited(rules: LifetimeRules, age: number, asked: number): Lifetime {
  const most = effectiveMax(rules);
  const left = most - age;
  if (left <= 0) throw invalidRequest("past the max TTL, cannot renew");
  const wanted = asked || rules.ttl || rules.mountDefault;
  if (wanted <= left) return { seconds: wanted, warnings: [] };
  return {
    seconds: left,
    warnings: [
      `TTL of ${quoted(wanted)} exceeded the effective max_ttl of ${quoted(left)}; TTL value is capped accordingly`,
    ],
  };
}

function periodic({ period, mountMax, explicitMaxTtl }: LifetimeRules, age: number): Lifetime {
  const warnings: string[] = [];
  let seconds = period;
  if (period > mountMax) {
    seconds = mountMax;
    warnings.push(
      `period of ${quoted(period)} exceeded the effective max_ttl of ${quoted(mountMax)}; period value is capped accordingly`,
    );
  }
  if (explicitMaxTtl > 0) {
    const left = explicitMaxTtl - age;
    if (left <= 0) throw invalidRequest("past the explicit max TTL, cannot renew");
    seconds = Math.min(seconds, left);
  }
  return { seconds, warnings };
}

/** The shortest of the mount's, the role's and the explicit maximum. */
export function effectiveMax({ mountMax, maxTtl, explicitMaxTtl }: LifetimeRules): number {
  return Math.min(...[mountMax, maxTtl, explicitMaxTtl].filter((seconds) => seconds > 0));
}

/** As the peers print it: without the zero minutes and seconds at the end. */
function quoted(seconds: number): string {
  const short = formatDuration(seconds).replace(/m0s$/, "m").replace(/h0m$/, "h");
  return JSON.stringify(short);
}
