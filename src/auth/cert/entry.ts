/** What is trusted: an authority, or a single certificate, and what else must be true of a client's certificate. */
import { parseRecord } from "../../api/collection.ts";
import type { KeptTokenFields } from "../../api/kept-token-fields.ts";
import { globMatches } from "../../lib/glob.ts";
import { type Certificate, extensionText, parseCertificates } from "./certificate.ts";

export interface Entry extends KeptTokenFields, Constraints {
  readonly name: string;
  /** PEM. */
  readonly certificate: string;
  readonly display_name: string;
  readonly allowed_metadata_extensions: readonly string[];
}

export interface Constraints {
  readonly allowed_names: readonly string[];
  readonly allowed_common_names: readonly string[];
  readonly allowed_dns_sans: readonly string[];
  readonly allowed_email_sans: readonly string[];
  readonly allowed_uri_sans: readonly string[];
  readonly allowed_organizational_units: readonly string[];
  readonly required_extensions: readonly string[];
}

export interface TrustedEntry {
  readonly entry: Entry;
  readonly certificates: readonly Certificate[];
}

/** One function, since the cache keeps what it answers for as long as the record is current. */
export function parseEntry(bytes: Uint8Array): TrustedEntry {
  const entry = parseRecord(bytes) as Entry;
  return { entry, certificates: parseCertificates(entry.certificate) };
}

/** Of each kind of name, one must be allowed; of required extensions, all must be there. */
export function meets(certificate: Certificate, constraints: Constraints): boolean {
  const { commonName, dnsNames, emails, uris, organizationalUnits } = certificate;
  return (
    isAnyAllowed([commonName, ...dnsNames, ...emails], constraints.allowed_names) &&
    isAnyAllowed([commonName], constraints.allowed_common_names) &&
    isAnyAllowed(dnsNames, constraints.allowed_dns_sans) &&
    isAnyAllowed(emails, constraints.allowed_email_sans) &&
    isAnyAllowed(uris, constraints.allowed_uri_sans) &&
    isAnyAllowed(organizationalUnits, constraints.allowed_organizational_units) &&
    constraints.required_extensions.every((required) => hasExtension(certificate, required))
  );
}

const isAnyAllowed = (names: readonly string[], patterns: readonly string[]): boolean =>
  patterns.length === 0 || patterns.some((pattern) => names.some((name) => globMatches(pattern, name)));

function hasExtension({ extensions }: Certificate, required: string): boolean {
  const colon = required.indexOf(":");
  const extension = extensions.get(required.slice(0, colon));
  return extension !== undefined && globMatches(required.slice(colon + 1), extensionText(extension));
}

/** Dots would not do in the templates of policies. */
export function extensionMetadata({ extensions }: Certificate, allowed: readonly string[]): Record<string, string> {
  const found = allowed.flatMap((oid) => {
    const extension = extensions.get(oid);
    return extension ? [[oid.replaceAll(".", "-"), extensionText(extension)]] : [];
  });
  return Object.fromEntries(found);
}
