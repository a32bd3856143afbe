/** Every setting of a role, written once: what certificates may be asked for under its name, and what they are like. */
import { anything, duration, type Fields, flag, integer, list, text, type Values } from "../../api/fields.ts";

const lifetimeFields = {
  ttl: duration("Lifetime when the request names none; 0 for the mount's default").default(0),
  max_ttl: duration("Longest lifetime that may be asked for; 0 for the mount's maximum").default(0),
  not_before_duration: duration("How far a certificate's beginning is dated back").default(30),
  not_before: text("Fixed beginning of every certificate (RFC 3339)").default(""),
  not_after: text("Fixed end of every certificate (RFC 3339), up to 9999-12-31T23:59:59Z").default(""),
  not_before_bound: text(
    "Whether requests may set not_before: permit, duration (not further back than not_before_duration), or forbid",
  ).default("permit"),
  not_after_bound: text(
    "Whether requests may set not_after: permit, ttl-limited, forbid, or the latest time allowed (RFC 3339)",
  ).default("permit"),
} satisfies Fields;

const nameFields = {
  allow_localhost: flag("Allow localhost and localdomain").default(true),
  allowed_domains: list("Domains that names are checked against").default([]),
  allowed_domains_template: flag("Whether allowed_domains may hold identity templates").default(false),
  allow_globs_in_identity_templates: flag("Whether what an identity template gives may contain *").default(false),
  allow_bare_domains: flag("Allow the domains themselves").default(false),
  allow_subdomains: flag("Allow names below the domains").default(false),
  allow_glob_domains: flag("Let * in allowed_domains stand for any text").default(false),
  allow_wildcard_certificates: flag("Allow names such as *.example.com").default(true),
  allow_any_name: flag("Allow any name at all").default(false),
  enforce_hostnames: flag("Take only host names as names").default(true),
  require_cn: flag("Refuse requests without a common name").default(true),
  cn_validations: list("What a common name may be: email, hostname, or disabled for anything").default([
    "email",
    "hostname",
  ]),
  allow_ip_sans: flag("Allow IP addresses").default(true),
  allowed_ip_sans_cidr: list("Ranges that IP addresses must be in; empty for any").default([]),
  allowed_uri_sans: list("URIs that may be asked for; * stands for any text; empty for none").default([]),
  allowed_uri_sans_template: flag("Whether allowed_uri_sans may hold identity templates").default(false),
  allowed_other_sans: list("Other names that may be asked for, as <oid>;UTF8:<value>; * for any").default([]),
  allowed_serial_numbers: list("Serial numbers of subjects that may be asked for; empty for none").default([]),
  allowed_user_ids: list("User ids of subjects that may be asked for; empty for none").default([]),
  use_csr_common_name: flag("Take the common name from the signing request").default(true),
  use_csr_sans: flag("Take the alternative names from the signing request").default(true),
} satisfies Fields;

const usageFields = {
  server_flag: flag("For servers").default(true),
  client_flag: flag("For clients").default(true),
  code_signing_flag: flag("For signing code").default(false),
  email_protection_flag: flag("For signing and encrypting e-mail").default(false),
  key_usage: list("Key usages, such as DigitalSignature; empty for none").default([
    "DigitalSignature",
    "KeyAgreement",
    "KeyEncipherment",
  ]),
  ext_key_usage: list("Further extended key usages, such as TimeStamping").default([]),
  ext_key_usage_oids: list("Further extended key usages, as object identifiers").default([]),
  policy_identifiers: anything(
    "Policies: object identifiers, or a JSON list of objects with oid, notice and cps",
  ).default([]),
  basic_constraints_valid_for_non_ca: flag("Say in every certificate that it is no CA").default(false),
} satisfies Fields;

const keyFields = {
  key_type: text("Type of key to make or accept: rsa, ec, ed25519, ml-dsa, or any").default("rsa"),
  key_bits: integer(
    "Size of the key: 2048, 3072, 4096 for rsa; 224, 256, 384, 521 for ec; 44, 65, 87 for ml-dsa; 0 for the usual",
  ).default(0),
  signature_bits: integer("Size of the hash that an RSA issuer signs: 256, 384, 512, or 0 for the usual").default(0),
  use_pss: flag("Let RSA issuers sign with PSS").default(false),
} satisfies Fields;

export const subjectFields = {
  ou: list("Organizational units of the subject").default([]),
  organization: list("Organizations of the subject").default([]),
  country: list("Countries of the subject").default([]),
  locality: list("Localities of the subject").default([]),
  province: list("Provinces of the subject").default([]),
  street_address: list("Street addresses of the subject").default([]),
  postal_code: list("Postal codes of the subject").default([]),
} satisfies Fields;

export const roleFields = {
  issuer_ref: text("Issuer that signs: its id, its name, or default").default("default"),
  ...lifetimeFields,
  ...nameFields,
  ...usageFields,
  ...keyFields,
  ...subjectFields,
  generate_lease: flag("Give each certificate a lease, whose end revokes it").default(false),
  no_store: flag("Do not keep certificates; they can then be revoked by their PEM only").default(false),
} satisfies Fields;

export type Role = Values<typeof roleFields>;
