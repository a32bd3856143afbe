/** What a certificate would be like, for requests that only ask. */
import { type Fields, flag, group, integer, items, text } from "../../api/fields.ts";
import { parseAlternativeNames } from "../../lib/x509/alternative-names.ts";
import { extensionIds } from "../../lib/x509/extension.ts";
import { noNames } from "../../lib/x509/general-name.ts";
import { parseExtendedKeyUsage, parseKeyUsage } from "../../lib/x509/key-usage.ts";
import { nameText, parseName } from "../../lib/x509/name.ts";
import type { Issuer } from "./issuer.ts";
import type { Draft } from "./signing.ts";

export const dryRunField = {
  dry_run: flag("Only say what would be issued, or why nothing would: nothing is signed or stored").default(false),
} satisfies Fields;

export const dryRunFields = {
  dry_run: group("What would be issued", {
    subject: text("Subject"),
    dns_names: items("Host names"),
    email_addresses: items("E-mail addresses"),
    ip_addresses: items("IP addresses"),
    uris: items("URIs"),
    other_names: items("Other names, as <oid>;UTF8:<value>"),
    not_before: integer("When it would begin to be valid, in seconds since 1970"),
    expiration: integer("When it would end, in seconds since 1970"),
    key_type: text("Type of the key"),
    key_bits: integer("Size of the key"),
    key_usage: items("Key usages"),
    ext_key_usage: items("Extended key usages, as object identifiers"),
    extensions: items("Object identifiers of all extensions that do not come from the issuer"),
    issuer_id: text("Issuer that would sign"),
  }),
} satisfies Fields;

// biome-ignore lint/suspicious/noExplicitAny: it takes the place of the declared answer of several paths.
export function shownDraft(draft: Draft, issuer: Issuer): any {
  const extensionValue = (oid: string) => draft.extensions.find((extension) => extension.oid === oid)?.value;
  const san = extensionValue(extensionIds.subjectAltName);
  const usage = extensionValue(extensionIds.keyUsage);
  const extended = extensionValue(extensionIds.extendedKeyUsage);
  const names = san ? parseAlternativeNames(san) : noNames;
  return {
    dry_run: {
      subject: nameText(parseName(draft.subject)),
      dns_names: names.dnsNames,
      email_addresses: names.emails,
      ip_addresses: names.ips,
      uris: names.uris,
      other_names: names.otherNames.map(({ oid, value }) => `${oid};UTF8:${value}`),
      not_before: Math.floor(draft.notBefore.getTime() / 1000),
      expiration: Math.floor(draft.notAfter.getTime() / 1000),
      key_type: draft.publicKey.kind.type,
      key_bits: draft.publicKey.kind.bits,
      key_usage: usage ? parseKeyUsage(usage) : [],
      ext_key_usage: extended ? parseExtendedKeyUsage(extended) : [],
      extensions: draft.extensions.map(({ oid }) => oid),
      issuer_id: issuer.id,
    },
  };
}
