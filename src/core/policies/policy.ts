/** An ACL policy as it was parsed: rules in the order in which they were written. */
import type { PlainValue } from "../../lib/hcl/plain-value.ts";
import { type Capabilities, deny } from "./capability.ts";
import type { KeyFilter } from "./key-filter.ts";
import { mixesWildcards, withoutLeadingSlash } from "./path-pattern.ts";
import { fillTemplate, type IdentityView, type Selector, type Template, type TemplateFreedom } from "./templating.ts";

export interface Policy {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** All selectors of the templates in its paths, each once. */
  readonly selectors: readonly Selector[];
}

/** Names in lower case, each with the values it is about; an empty list means any value. */
export type ParameterValues = ReadonlyMap<string, readonly PlainValue[]>;

export interface PolicyRule {
  /** Without a leading slash. */
  readonly path: string;
  /** Where the rule stands in the text. */
  readonly line: number;
  readonly template: Template | undefined;
  /** As granted: a deny stands alone. */
  readonly capabilities: Capabilities;
  /** As written, for those who comment on it. */
  readonly written: Capabilities;
  readonly allowedParameters: ParameterValues;
  readonly deniedParameters: ParameterValues;
  /** In lower case. */
  readonly requiredParameters: readonly string[];
  /** Seconds; 0 for no limit, as with the next two. */
  readonly minWrappingTtl: number;
  readonly maxWrappingTtl: number;
  readonly paginationLimit: number;
  readonly keyFilter: KeyFilter | undefined;
  readonly mfaMethods: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
}

/** A value that widens a refusal refuses more; leaving the rule out would let its caller past it. */
const anyValue: TemplateFreedom = { slashes: true, wildcards: true };

/** The policy for one caller: a rule whose template has no usable value is left out. */
export function policyFor(policy: Policy, identity: IdentityView, freedom: TemplateFreedom): Policy {
  if (policy.selectors.length === 0) return policy;
  const rules = policy.rules.flatMap((rule) => {
    if (rule.template === undefined) return [rule];
    const isRefusal = rule.capabilities === deny || rule.capabilities === 0;
    const path = fillTemplate(rule.template, identity, isRefusal ? anyValue : freedom);
    if (path === undefined || (mixesWildcards(path) && !isRefusal)) return [];
    return [{ ...rule, path: withoutLeadingSlash(path), template: undefined }];
  });
  return { name: policy.name, rules, selectors: [] };
}
