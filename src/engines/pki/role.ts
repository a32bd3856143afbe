/** Roles: how they are kept, and what they must be like. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { isCidr } from "../../lib/cidr.ts";
import { keyKind, requireSignatureBits } from "./key-type.ts";
import { isName, requireName } from "./name.ts";
import { isObjectIdentifier } from "./object-identifier.ts";
import { parseOtherName } from "./other-name.ts";
import { policyTexts } from "./policy-identifier.ts";
import type { Role } from "./role-fields.ts";

export class Roles {
  readonly #roles: Collection<Role>;

  constructor(storage: Storage) {
    this.#roles = new Collection(storage, "role/");
  }

  async find(name: string): Promise<Readonly<Role> | undefined> {
    return isName(name) ? this.#roles.get(name) : undefined;
  }

  async require(name: string): Promise<Readonly<Role>> {
    const role = await this.find(name);
    if (!role) throw invalidRequest(`unknown role: ${name}`);
    return role;
  }

  put(name: string, role: Role): void {
    this.#roles.put(requireName("a role", name), role);
  }

  delete(name: string): void {
    if (isName(name)) this.#roles.delete(name);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#roles.list(page);
  }
}

/** The role in the form that it is kept and shown in. Throws what the caller should hear about a setting. */
export function checkedRole(role: Role, warn: (message: string) => void): Role {
  if (role.max_ttl > 0 && role.ttl > role.max_ttl) {
    throw invalidRequest('"ttl" value must be less than "max_ttl" value');
  }
  checkNames(role);
  checkBounds(role);
  for (const oid of role.ext_key_usage_oids) {
    if (!isObjectIdentifier(oid)) {
      throw invalidRequest(`${JSON.stringify(oid)} could not be parsed as a valid oid for an extended key usage`);
    }
  }
  const key_bits = role.key_type === "any" ? role.key_bits : keyKind(role.key_type, role.key_bits).bits;
  requireSignatureBits(role.signature_bits);
  const signature_bits = role.signature_bits === 0 && role.key_type === "rsa" ? 256 : role.signature_bits;
  return {
    ...role,
    ...storageSettings(role, warn),
    key_bits,
    signature_bits,
    cn_validations: commonNameRules(role.cn_validations),
    policy_identifiers: policyTexts(role.policy_identifiers),
  };
}

function checkNames(role: Role): void {
  for (const range of role.allowed_ip_sans_cidr) {
    if (!range.includes("/") || !isCidr(range)) {
      throw invalidRequest(`error parsing allowed_ip_sans_cidr: invalid CIDR address: ${range}`);
    }
  }
  if (role.allowed_other_sans.length === 1 && role.allowed_other_sans[0] === "*") return;
  for (const rule of role.allowed_other_sans) {
    try {
      parseOtherName(rule);
    } catch (error) {
      throw invalidRequest(`error parsing allowed_other_sans: ${(error as Error).message}`);
    }
  }
}

function checkBounds({ not_before_bound, not_after_bound }: Role): void {
  if (!["permit", "duration", "forbid"].includes(not_before_bound)) {
    throw invalidRequest("not_before_bound must be one of permit, duration, or forbid");
  }
  if (["permit", "ttl-limited", "forbid"].includes(not_after_bound)) return;
  if (Number.isNaN(Date.parse(not_after_bound))) {
    throw invalidRequest("not_after_bound must be one of permit, ttl-limited, forbid, or a time (RFC 3339)");
  }
}

function commonNameRules(given: readonly string[]): string[] {
  const rules = given.length === 0 ? ["email", "hostname"] : given.map((rule) => rule.toLowerCase());
  for (const rule of rules) {
    if (!["email", "hostname", "disabled"].includes(rule)) {
      throw invalidRequest(`cn_validations value incorrect: unknown type: \`${rule}\``);
    }
  }
  if (new Set(rules).size < rules.length) throw invalidRequest("cn_validations value incorrect: a type is given twice");
  if (rules.includes("disabled") && rules.length > 1) {
    throw invalidRequest("cn_validations value incorrect: `disabled` cannot be combined with other types");
  }
  return rules;
}

function storageSettings({ no_store, generate_lease }: Role, warn: (message: string) => void): Partial<Role> {
  if (generate_lease && no_store) {
    warn(
      "mutually exclusive values no_store=true and generate_lease=true were both specified; no_store=true takes priority",
    );
    return { generate_lease: false };
  }
  if (generate_lease) {
    warn(
      "it is encouraged to disable generate_lease and rely on the life of the certificates instead: many leases slow a server down",
    );
  }
  return {};
}
