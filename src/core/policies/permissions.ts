/** What all rules with one and the same path permit together, and whether a request fits. */
import { isRawNumber, type JsonObject } from "../../lib/json.ts";
import { type AccessOperation, type Capabilities, capabilityBits, deny, sudo } from "./capability.ts";
import type { KeyFilter } from "./key-filter.ts";
import { parameterRefusal } from "./parameters.ts";
import { type PathPattern, parsePathPattern } from "./path-pattern.ts";
import type { ParameterValues, PolicyRule } from "./policy.ts";
import type { AccessRequest, Verdict } from "./verdict.ts";

interface Granted {
  readonly policy: string;
  readonly capabilities: Capabilities;
}

export class Permissions {
  readonly pattern: PathPattern;
  capabilities: Capabilities;
  readonly #granted: Granted[] = [];
  #allowedParameters: ParameterValues;
  #deniedParameters: ParameterValues;
  #requiredParameters: readonly string[];
  #minWrappingTtl: number;
  #maxWrappingTtl: number;
  #paginationLimit: number;
  #keyFilter: KeyFilter | undefined;
  #mfaMethods: readonly string[];
  /** Verdicts that depend on nothing but the operation. */
  readonly #settled = new Map<AccessOperation, Verdict | undefined>();

  constructor(policy: string, rule: PolicyRule) {
    this.pattern = parsePathPattern(rule.path);
    this.capabilities = rule.capabilities;
    this.#granted.push({ policy, capabilities: rule.capabilities });
    this.#allowedParameters = rule.allowedParameters;
    this.#deniedParameters = rule.deniedParameters;
    this.#requiredParameters = rule.requiredParameters;
    this.#minWrappingTtl = rule.minWrappingTtl;
    this.#maxWrappingTtl = rule.maxWrappingTtl;
    this.#paginationLimit = rule.paginationLimit;
    this.#keyFilter = rule.keyFilter;
    this.#mfaMethods = rule.mfaMethods;
  }

  /** Takes in another rule with the same path: capabilities add up, limits become the lower ones, a deny ends it. */
  merge(policy: string, rule: PolicyRule): void {
    if ((this.capabilities & deny) !== 0) return;
    if ((rule.capabilities & deny) !== 0) {
      this.capabilities = deny;
      this.#granted.length = 0;
      this.#granted.push({ policy, capabilities: deny });
      return;
    }
    this.capabilities |= rule.capabilities;
    this.#granted.push({ policy, capabilities: rule.capabilities });
    this.#allowedParameters = mergedParameters(this.#allowedParameters, rule.allowedParameters);
    this.#deniedParameters = mergedParameters(this.#deniedParameters, rule.deniedParameters);
    this.#requiredParameters = union(this.#requiredParameters, rule.requiredParameters);
    this.#minWrappingTtl = lowest(this.#minWrappingTtl, rule.minWrappingTtl);
    this.#maxWrappingTtl = lowest(this.#maxWrappingTtl, rule.maxWrappingTtl);
    this.#paginationLimit = lowest(this.#paginationLimit, rule.paginationLimit);
    this.#keyFilter ??= rule.keyFilter;
    this.#mfaMethods = union(this.#mfaMethods, rule.mfaMethods);
  }

  judge(request: AccessRequest): Verdict {
    const { operation } = request;
    const settled = this.#settled.get(operation);
    if (settled) return settled;
    if (!this.#settled.has(operation)) {
      const verdict = this.#settle(operation);
      this.#settled.set(operation, verdict);
      if (verdict) return verdict;
    }
    return this.#judgeDetails(request);
  }

  #settle(operation: AccessOperation): Verdict | undefined {
    if ((this.capabilities & deny) !== 0) return this.#refused("denies the path");
    if ((this.capabilities & capabilityBits[operation]) === 0) return this.#refused(`does not grant ${operation}`);
    if (this.#mfaMethods.length > 0) return this.#refused("wants a second factor, and this server checks none");
    return this.#dependsOnDetails(operation) ? undefined : this.#permitted(operation);
  }

  #dependsOnDetails(operation: AccessOperation): boolean {
    if (this.#minWrappingTtl > 0 || this.#maxWrappingTtl > 0) return true;
    if (isList(operation)) return this.#paginationLimit > 0;
    if (operation === "delete") return false;
    return this.#allowedParameters.size > 0 || this.#deniedParameters.size > 0 || this.#requiredParameters.length > 0;
  }

  #judgeDetails({ operation, body = {}, wrapTtl = 0 }: AccessRequest): Verdict {
    const wrapping = this.#wrappingRefusal(wrapTtl);
    if (wrapping !== undefined) return this.#refused(wrapping);
    if (isList(operation)) return this.#judgeList(operation, body["limit"]);
    const parameter = operation === "delete" ? undefined : this.#parameterRefusal(body);
    return parameter === undefined ? this.#permitted(operation) : this.#refused(`refuses the request: ${parameter}`);
  }

  #parameterRefusal(body: Readonly<JsonObject>): string | undefined {
    return parameterRefusal(
      {
        allowedParameters: this.#allowedParameters,
        deniedParameters: this.#deniedParameters,
        requiredParameters: this.#requiredParameters,
      },
      body,
    );
  }

  #wrappingRefusal(ttl: number): string | undefined {
    const min = this.#minWrappingTtl;
    const max = this.#maxWrappingTtl;
    if (min === 0 && max === 0) return undefined;
    if (ttl > 0 && ttl >= min && (max === 0 || ttl <= max)) return undefined;
    const bounds = max === 0 ? `at least ${min}` : `between ${min} and ${max}`;
    return `wants the answer wrapped, for ${bounds} seconds`;
  }

  #judgeList(operation: AccessOperation, asked: unknown): Verdict {
    const most = this.#paginationLimit;
    if (most === 0) return this.#permitted(operation);
    if (asked === undefined || asked === null) {
      if (!this.#requiredParameters.includes("limit")) return this.#permitted(operation, most);
      return this.#refused('wants the parameter "limit"');
    }
    const limit = readLimit(asked);
    if (limit === undefined || limit < 0 || limit > most) return this.#refused(`limits pages to ${most} entries`);
    return this.#permitted(operation, limit === 0 ? most : limit);
  }

  #permitted(operation: AccessOperation, limit?: number): Verdict {
    const bit = capabilityBits[operation];
    const granting = this.#granted.filter(({ capabilities }) => (capabilities & bit) !== 0);
    return this.#verdict({
      allowed: true,
      policies: [...new Set(granting.map(({ policy }) => policy))],
      limit,
      keyFilter: isList(operation) ? this.#keyFilter : undefined,
    });
  }

  #refused(why: string): Verdict {
    const policies = [...new Set(this.#granted.map(({ policy }) => policy))];
    return this.#verdict({ policies, reason: `the rule for ${JSON.stringify(this.pattern.text)} ${why}` });
  }

  #verdict(outcome: Partial<Verdict>): Verdict {
    return {
      allowed: false,
      sudo: (this.capabilities & sudo) !== 0,
      root: false,
      rule: this.pattern.text,
      policies: [],
      reason: "",
      limit: undefined,
      keyFilter: undefined,
      wrapping: { min: this.#minWrappingTtl, max: this.#maxWrappingTtl },
      mfaMethods: this.#mfaMethods,
      ...outcome,
    };
  }
}

export const isList = (operation: AccessOperation): boolean => operation === "list" || operation === "scan";

/** Of limits, 0 being none. */
const lowest = (a: number, b: number): number => (a === 0 || b === 0 ? a + b : Math.min(a, b));

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** Values add up, unless one side takes any value. */
function mergedParameters(a: ParameterValues, b: ParameterValues): ParameterValues {
  if (a.size === 0 || b.size === 0) return a.size === 0 ? b : a;
  const merged = new Map(a);
  for (const [name, values] of b) {
    const before = a.get(name);
    const isAny = values.length === 0 || before?.length === 0;
    merged.set(name, isAny ? [] : [...(before ?? []), ...values]);
  }
  return merged;
}

/** Undefined for what is no number; `max` asks for as many as there may be, and so does 0. */
function readLimit(asked: unknown): number | undefined {
  if (asked === "max" || asked === "") return 0;
  const text = isRawNumber(asked) ? asked.rawJSON : asked;
  if (typeof text === "number") return Number.isInteger(text) ? text : undefined;
  return typeof text === "string" && /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}
