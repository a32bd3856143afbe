/** From when until when a certificate is valid. */
import { invalidRequest } from "../../api/errors.ts";
import { formatDuration } from "../../lib/duration.ts";
import type { Issuer, LeafRule } from "./issuer.ts";
import type { Role } from "./role-fields.ts";

export interface ValidityFields {
  /** Seconds; 0 if not given. */
  readonly ttl: number;
  readonly not_before: string;
  readonly not_after: string;
}

export interface ValidityRules {
  readonly ttl: number;
  readonly maxTtl: number;
  readonly notBeforeSeconds: number;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly notBeforeBound: string;
  readonly notAfterBound: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

interface Lifetimes {
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
}

/** The rules of a role, or of none. */
export const validityRules = (
  role: Pick<Role, "ttl" | "max_ttl" | "not_before_duration"> & Partial<Role>,
  mount: Lifetimes,
): ValidityRules => ({
  ttl: role.ttl || mount.defaultLeaseSeconds,
  maxTtl: role.max_ttl || mount.maxLeaseSeconds,
  notBeforeSeconds: role.not_before_duration,
  notBefore: role.not_before ?? "",
  notAfter: role.not_after ?? "",
  notBeforeBound: role.not_before_bound ?? "permit",
  notAfterBound: role.not_after_bound ?? "permit",
});

export function validityOf(
  asked: ValidityFields,
  rules: ValidityRules,
  now: Date,
  warn: (message: string) => void,
): Validity {
  const notBefore = notBeforeOf(asked, rules, now);
  const notAfter = notAfterOf(asked, rules, now, warn);
  if (notBefore >= notAfter) {
    const relation = notBefore > notAfter ? "is later than" : "is equal to";
    throw invalidRequest(
      `The certificate's Not Before (${shown(notBefore)}) ${relation} the certificate's Not After (${shown(notAfter)})`,
    );
  }
  return { notBefore, notAfter };
}

/** A lifetime that neither the request nor a role has named ends with the issuer: nobody asked for more. */
export const leafRuleFor = (
  asked: ValidityFields,
  role: Partial<Role>,
  { leaf_not_after_behavior: rule }: Issuer,
): LeafRule =>
  rule === "err" && asked.ttl === 0 && asked.not_after === "" && !role.ttl && !role.not_after ? "truncate" : rule;

/** Within what the issuer's own end allows. */
export function withinIssuer(validity: Validity, { certificate }: Issuer, rule: LeafRule): Validity {
  const end = certificate.notAfter;
  if (validity.notAfter <= end || rule === "permit") return validity;
  if (rule === "truncate") {
    if (validity.notBefore >= end) throw invalidRequest(`the CA certificate has expired at ${shown(end)}`);
    return { ...validity, notAfter: end };
  }
  throw invalidRequest(
    `cannot satisfy request, as TTL would result in notAfter of ${shown(validity.notAfter)} that is beyond the expiration of the CA certificate at ${shown(end)}`,
  );
}

function notBeforeOf({ not_before }: ValidityFields, rules: ValidityRules, now: Date): Date {
  const dated = new Date(wholeSecond(now).getTime() - rules.notBeforeSeconds * 1000);
  if (not_before === "") return rules.notBefore === "" ? dated : requireTime("not_before", rules.notBefore);
  if (rules.notBeforeBound === "forbid") {
    throw invalidRequest("not_before_bound is set to forbid. not_before cannot be provided.");
  }
  const asked = requireTime("not_before", not_before);
  if (rules.notBeforeBound === "duration" && asked < dated) {
    throw invalidRequest(
      `not_before_bound is set to duration. Cannot satisfy request as notBefore of ${shown(asked)} is older than the allowed not_before_duration of ${formatDuration(rules.notBeforeSeconds)}`,
    );
  }
  return asked;
}

function notAfterOf(asked: ValidityFields, rules: ValidityRules, now: Date, warn: (message: string) => void): Date {
  if (asked.not_after !== "" && rules.notAfterBound === "forbid") {
    throw invalidRequest("not_after_bound is set to forbid. not_after cannot be provided.");
  }
  const fixed = asked.not_after || rules.notAfter;
  if (asked.ttl !== 0 && fixed !== "") {
    throw invalidRequest(
      "Either ttl or not_after should be provided. Both should not be provided in the same request.",
    );
  }
  if (fixed !== "") return boundedEnd(requireTime("not_after", fixed), rules, now);
  return new Date(wholeSecond(now).getTime() + cappedTtl(asked.ttl || rules.ttl, rules.maxTtl, warn) * 1000);
}

function cappedTtl(ttl: number, maxTtl: number, warn: (message: string) => void): number {
  if (ttl <= maxTtl) return ttl;
  warn(
    `TTL "${formatDuration(ttl)}" is longer than permitted maxTTL "${formatDuration(maxTtl)}", so maxTTL is being used`,
  );
  return maxTtl;
}

function boundedEnd(end: Date, { notAfterBound, maxTtl }: ValidityRules, now: Date): Date {
  if (notAfterBound === "permit" || notAfterBound === "forbid") return end;
  if (notAfterBound === "ttl-limited") {
    if (end.getTime() <= now.getTime() + maxTtl * 1000) return end;
    throw invalidRequest(
      `not_after_bound is set to ttl-limited. Cannot satisfy request as that would result in notAfter of ${shown(end)} that is beyond the TTL of ${formatDuration(maxTtl)}`,
    );
  }
  const latest = requireTime("not_after_bound", notAfterBound);
  if (end <= latest) return end;
  throw invalidRequest(
    `not_after_bound is set to a timestamp. Cannot satisfy request as that would result in notAfter of ${shown(end)} that is beyond the maximum timestamp of ${shown(latest)}`,
  );
}

/** `YYYY-MM-ddTHH:MM:SSZ`, with an offset too. */
export function requireTime(field: string, text: string): Date {
  const isWellFormed = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const at = isWellFormed ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw invalidRequest(
      `error parsing ${field} ${JSON.stringify(text)}: expected a time in UTC such as 2030-01-31T23:59:59Z`,
    );
  }
  return wholeSecond(new Date(at));
}

const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

/** Certificates know whole seconds only. */
const shown = (date: Date): string => date.toISOString().replace(".000Z", "Z");
