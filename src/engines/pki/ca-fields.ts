/** What requests for certificates of authorities take. */
import { duration, type Fields, flag, integer, list, text, type Values } from "../../api/fields.ts";
import { basicConstraints } from "../../lib/x509/basic-constraints.ts";
import type { Extension } from "../../lib/x509/extension.ts";
import { encodeSubject } from "../../lib/x509/name.ts";
import { nameConstraints } from "../../lib/x509/name-constraints.ts";
import { askedNameFields, validityFields } from "./issue.paths.ts";
import { formatFields, privateKeyFormatFields } from "./issued.ts";
import { refusing } from "./refusal.ts";
import { subjectFields } from "./role-fields.ts";

export const constraintFields = {
  permitted_dns_domains: list("Domains that certificates below may have; a dot in front for those below only").default(
    [],
  ),
  excluded_dns_domains: list("Domains that certificates below may not have").default([]),
  permitted_ip_ranges: list("IP ranges (CIDR) that certificates below may have").default([]),
  excluded_ip_ranges: list("IP ranges (CIDR) that certificates below may not have").default([]),
  permitted_email_addresses: list("E-mail addresses or their domains that certificates below may have").default([]),
  excluded_email_addresses: list("E-mail addresses or their domains that certificates below may not have").default([]),
  permitted_uri_domains: list("Domains of URIs that certificates below may have").default([]),
  excluded_uri_domains: list("Domains of URIs that certificates below may not have").default([]),
} satisfies Fields;

export const caSubjectFields = { ...askedNameFields, ...subjectFields } satisfies Fields;

export const caValidityFields = {
  ...validityFields,
  not_before_duration: duration("How far the beginning is dated back").default(30),
} satisfies Fields;

export const signatureFields = {
  signature_bits: integer("Size of the hash that an RSA key signs: 256, 384, 512, or 0 for the usual").default(0),
  use_pss: flag("Let RSA keys sign with PSS").default(false),
} satisfies Fields;

export const extendedUsageFields = {
  ext_key_usage: list("Extended key usages by name").default([]),
  ext_key_usage_oids: list("Extended key usages as object identifiers").default([]),
} satisfies Fields;

const newKeyFields = {
  key_type: text("Type of the key: rsa, ec, ed25519 or ml-dsa").default("rsa"),
  key_bits: integer("Size of the key; 0 for the usual").default(0),
  key_name: text("Name for the key").default(""),
  key_ref: text("Key to use, on the path for existing ones").default("default"),
} satisfies Fields;

export const caFields = {
  ...caSubjectFields,
  ...newKeyFields,
  ...signatureFields,
  ...formatFields,
  ...privateKeyFormatFields,
} satisfies Fields;

type SubjectValues = Values<typeof caSubjectFields>;

export const caSubject = (asked: SubjectValues): Uint8Array =>
  refusing(() =>
    encodeSubject({
      country: asked.country,
      province: asked.province,
      locality: asked.locality,
      streetAddress: asked.street_address,
      postalCode: asked.postal_code,
      organization: asked.organization,
      organizationalUnit: asked.ou,
      commonName: asked.common_name,
      serialNumber: asked.serial_number,
    }),
  );

export function constraintExtensions(asked: Values<typeof constraintFields>): Extension[] {
  const permitted = {
    dnsDomains: asked.permitted_dns_domains,
    ipRanges: asked.permitted_ip_ranges,
    emails: asked.permitted_email_addresses,
    uriDomains: asked.permitted_uri_domains,
  };
  const excluded = {
    dnsDomains: asked.excluded_dns_domains,
    ipRanges: asked.excluded_ip_ranges,
    emails: asked.excluded_email_addresses,
    uriDomains: asked.excluded_uri_domains,
  };
  const isUnset = [...Object.values(permitted), ...Object.values(excluded)].every((trees) => trees.length === 0);
  return isUnset ? [] : [refusing(() => nameConstraints({ permitted, excluded }))];
}

export const authorityConstraints = (maxPathLength: number | undefined): Extension =>
  basicConstraints({ isAuthority: true, maxPathLength });
