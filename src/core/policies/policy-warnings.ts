/** What is allowed to be written in a policy, and yet cannot be what its author meant. */
import { capabilityBits, deny, sudo } from "./capability.ts";
import type { Policy, PolicyRule } from "./policy.ts";

export function policyWarnings(policy: Policy, now: Date): string[] {
  return policy.rules.flatMap((rule) => {
    const place = `path ${JSON.stringify(rule.path)} on line ${rule.line}: `;
    return [...pathWarnings(rule), ...capabilityWarnings(rule), ...detailWarnings(rule, now)].map(
      (text) => place + text,
    );
  });
}

function pathWarnings({ path, template }: PolicyRule): string[] {
  const warnings: string[] = [];
  for (const { text, isKnown } of template?.selectors ?? []) {
    if (!isKnown) warnings.push(`{{${text}}} names nothing that a caller can have, so the rule never applies`);
  }
  const literal = template ? template.literals.join("x") : path;
  if (literal.slice(0, -1).includes("*")) {
    warnings.push('"*" is a wildcard only as the last character; elsewhere it matches nothing but itself');
  }
  if (literal.split("/").some((segment) => segment.includes("+") && segment !== "+")) {
    warnings.push('"+" is a wildcard only as a whole segment; elsewhere it matches nothing but itself');
  }
  if (literal.startsWith("/")) warnings.push("request paths do not begin with a slash, so the rule never applies");
  if (literal.startsWith("v1/")) warnings.push('paths are written without the "v1/" of the HTTP API');
  if (literal.split("/").some((segment) => segment === "." || segment === "..")) {
    warnings.push('requests with "." or ".." segments are refused, so the rule never applies');
  }
  return warnings;
}

function capabilityWarnings({ written, template }: PolicyRule): string[] {
  if (written === 0) return ["no capabilities, so the rule denies what it matches"];
  if (written === sudo) return ["sudo grants nothing without another capability beside it"];
  if ((written & deny) !== 0 && written !== deny) return ["deny stands alone: the other capabilities have no effect"];
  if (written === deny && template) return ["a caller without a value for the template is not denied"];
  return [];
}

const parameterOperations = capabilityBits.create | capabilityBits.read | capabilityBits.update | capabilityBits.patch;

function detailWarnings(rule: PolicyRule, now: Date): string[] {
  const warnings: string[] = [];
  if (rule.expires !== undefined && rule.expires <= now.getTime()) warnings.push("the expiration has passed");
  if (rule.mfaMethods.length > 0)
    warnings.push("this server checks no second factors, so a rule with mfa_methods refuses everything");
  if (rule.allowedParameters.get("*")?.length || rule.deniedParameters.get("*")?.length) {
    warnings.push('the parameter "*" stands for all others with any value: its list of values has no effect');
  }
  const hasParameters = rule.allowedParameters.size > 0 || rule.deniedParameters.size > 0;
  if (hasParameters && rule.capabilities !== 0 && (rule.capabilities & parameterOperations) === 0) {
    warnings.push("parameters are checked on read, create, update and patch only, and the rule grants none of these");
  }
  return warnings;
}
