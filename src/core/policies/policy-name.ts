/** Names of policies: kept in lower case, and some of them are not for everybody to change. */
import { invalidRequest } from "../../api/errors.ts";

export const rootPolicyName = "root";
export const defaultPolicyName = "default";
/** What a response-wrapping token has; no other token may be given it. */
export const wrappingPolicyName = "response-wrapping";

const fixedNames: ReadonlySet<string> = new Set([rootPolicyName, wrappingPolicyName]);

export const normalizedPolicyName = (name: string): string => name.trim().toLowerCase();

/** The name was normalized before, as in the other function. */
export function requireChangeable(name: string): void {
  if (name === "") throw invalidRequest("the name of the policy is empty");
  if (fixedNames.has(name)) throw invalidRequest(`cannot update ${JSON.stringify(name)} policy`);
}

export function requireDeletable(name: string): void {
  if (fixedNames.has(name)) throw invalidRequest(`cannot delete ${JSON.stringify(name)} policy`);
  if (name === defaultPolicyName) throw invalidRequest("cannot delete default policy");
}
