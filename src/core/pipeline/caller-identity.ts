/** What engines may know about who calls, in the words of the contract with them. */
import { invalidRequest } from "../../api/errors.ts";
import type { CallerIdentity } from "../../api/path.ts";
import type { IdentityGrant } from "../identity-link.ts";
import { nobody } from "../identity-mount.ts";
import { PolicyFault } from "../policies/policy-error.ts";
import { fillTemplate, parseTemplate } from "../policies/templating.ts";

export function callerIdentity(grant: IdentityGrant | undefined): CallerIdentity | undefined {
  const entity = grant?.view.entity;
  if (!entity) return undefined;
  const { id, name, metadata } = entity;
  const aliases = Object.entries(entity.aliases).map(([mount_accessor, alias]) => ({ ...alias, mount_accessor }));
  return { id, name, metadata, aliases, groups: Object.values(grant.view.groups.ids) };
}

/** Undefined if the caller has no value for one of the templates. */
export function filledTemplate(text: string, grant: IdentityGrant | undefined, now: Date): string | undefined {
  try {
    const template = parseTemplate(text);
    // The engine judges what comes out, so a value may hold any character.
    return template ? fillTemplate(template, grant?.view ?? nobody(now), { slashes: true, wildcards: true }) : text;
  } catch (error) {
    if (error instanceof PolicyFault) throw invalidRequest(error.message);
    throw error;
  }
}
