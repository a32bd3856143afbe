/** Extensions that say what a certificate may be used for, as roles and requests name the usages. */
import { invalidRequest } from "../../api/errors.ts";
import { defaultOf } from "../../api/fields.ts";
import { basicConstraints } from "../../lib/x509/basic-constraints.ts";
import { certificatePolicies } from "../../lib/x509/certificate-policies.ts";
import type { Extension } from "../../lib/x509/extension.ts";
import type { KeyType } from "../../lib/x509/key.ts";
import {
  extendedKeyUsage,
  extendedKeyUsageNamed,
  extendedKeyUsages,
  type KeyUsage,
  keyUsage,
  keyUsageNamed,
  keyUsageNames,
} from "../../lib/x509/key-usage.ts";
import { isObjectIdentifier } from "./object-identifier.ts";
import { parsePolicies } from "./policy-identifier.ts";
import { refusing } from "./refusal.ts";
import { type Role, roleFields } from "./role-fields.ts";

/** Unknown names are passed over, as the peers do. */
export const usagesNamed = (names: readonly string[]): KeyUsage[] => {
  const known = new Set(names.map(keyUsageNamed));
  return keyUsageNames.filter((name) => known.has(name));
};

export const keyUsageExtension = (usages: readonly KeyUsage[]): Extension[] =>
  usages.length > 0 ? [keyUsage(usages)] : [];

export function extendedUsageIds(names: readonly string[], oids: readonly string[]): string[] {
  const named = names.map(extendedKeyUsageNamed).filter((oid) => oid !== undefined);
  for (const oid of oids) {
    if (!isObjectIdentifier(oid)) {
      throw invalidRequest(`${JSON.stringify(oid)} could not be parsed as a valid oid for an extended key usage`);
    }
  }
  return [...new Set([...named, ...oids])];
}

export const extendedUsageExtension = (oids: readonly string[]): Extension[] =>
  oids.length > 0 ? [refusing(() => extendedKeyUsage(oids))] : [];

const usualUsages = (defaultOf(roleFields.key_usage) as readonly string[]).join();

/** What a role says; the usages that nobody asked for are left out where the key cannot be used so. */
function roleKeyUsages(role: Readonly<Role>, keyType: KeyType): KeyUsage[] {
  const usages = usagesNamed(role.key_usage);
  if (role.key_usage.join() !== usualUsages) return usages;
  return usages.filter((usage) => isUsual(usage, keyType));
}

function isUsual(usage: KeyUsage, keyType: KeyType): boolean {
  if (usage === "KeyEncipherment") return keyType === "rsa";
  if (usage === "KeyAgreement") return keyType === "ec";
  return true;
}

const flags = [
  ["server_flag", extendedKeyUsages.ServerAuth],
  ["client_flag", extendedKeyUsages.ClientAuth],
  ["code_signing_flag", extendedKeyUsages.CodeSigning],
  ["email_protection_flag", extendedKeyUsages.EmailProtection],
] as const;

function roleUsageIds(role: Readonly<Role>): string[] {
  const flagged = flags.filter(([flag]) => role[flag]).map(([, oid]) => oid as string);
  return [...new Set([...flagged, ...extendedUsageIds(role.ext_key_usage, role.ext_key_usage_oids)])];
}

/** Roles are shared while they are cached, and so is what follows from them. */
const made = new WeakMap<object, Map<KeyType, readonly Extension[]>>();

/** `usageIds` take the place of the role's. */
export function roleExtensions(
  role: Readonly<Role>,
  keyType: KeyType,
  usageIds?: readonly string[],
): readonly Extension[] {
  if (usageIds) return makeExtensions(role, keyType, usageIds);
  const known = made.get(role) ?? new Map<KeyType, readonly Extension[]>();
  const extensions = known.get(keyType) ?? makeExtensions(role, keyType, roleUsageIds(role));
  made.set(role, known.set(keyType, extensions));
  return extensions;
}

function makeExtensions(role: Readonly<Role>, keyType: KeyType, usageIds: readonly string[]): readonly Extension[] {
  const policies = parsePolicies(role.policy_identifiers);
  return [
    ...keyUsageExtension(roleKeyUsages(role, keyType)),
    ...extendedUsageExtension(usageIds),
    ...(role.basic_constraints_valid_for_non_ca ? [basicConstraints({ isAuthority: false })] : []),
    ...(policies.length > 0 ? [refusing(() => certificatePolicies(policies))] : []),
  ];
}
