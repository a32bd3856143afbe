/** Whom a token stands for, by the claims that a role names: user, groups, metadata. */
import { invalidRequest } from "../../api/errors.ts";
import { type Claims, claimAt, claimNamed } from "./claims.ts";
import type { Role } from "./role.ts";

export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export function userOf(role: Role, claims: Claims): string {
  const { user_claim, user_claim_json_pointer } = role;
  const find = user_claim_json_pointer ? claimAt : claimNamed;
  const value = find(claims, user_claim);
  const name = JSON.stringify(user_claim);
  if (value === undefined) throw invalidRequest(`claim ${name} not found in token`);
  if (typeof value !== "string") throw invalidRequest(`claim ${name} could not be converted to string`);
  if (value === "") throw invalidRequest(`claim ${name} is empty in token`);
  return value;
}

export const identityOf = (role: Role, user: string, claims: Claims): Identity => ({
  user,
  metadata: { ...metadataOf(role, claims), role: role.name },
  groups: groupsOf(role, claims),
});

function metadataOf({ claim_mappings }: Role, claims: Claims): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [reference, name] of Object.entries(claim_mappings)) {
    const value = claimAt(claims, reference);
    if (value === undefined) continue;
    if (typeof value !== "string") throw invalidRequest(`error converting claim '${reference}' to string`);
    metadata[name] = value;
  }
  return metadata;
}

function groupsOf({ groups_claim }: Role, claims: Claims): readonly string[] {
  if (groups_claim === "") return [];
  const name = JSON.stringify(groups_claim);
  const value = claimAt(claims, groups_claim);
  if (value === undefined || value === null)
    throw invalidRequest(`failed to fetch groups: ${name} claim not found in token`);
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) throw invalidRequest(`${name} claim could not be converted to string list`);
  const other = list.findIndex((item) => typeof item !== "string");
  if (other !== -1) throw invalidRequest(`value [${other}] in groups claim could not be parsed as string`);
  return list.filter((item) => item !== "");
}
