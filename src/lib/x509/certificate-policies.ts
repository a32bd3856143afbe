/** The certificate policies extension, and those that limit policies. RFC 5280, 4.2.1.4. */
import { Fields } from "../der/fields.ts";
import { isObjectIdentifier } from "../der/object-identifier.ts";
import { type Element, membersOf, objectIdentifierOf, readElement } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { asciiOf, strictStringOf } from "../der/text.ts";
import { ia5String, integer, objectIdentifier, sequence, utf8String } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { encodedId } from "./object-ids.ts";
import { reading, X509Error } from "./x509-error.ts";

export interface CertificatePolicy {
  readonly oid: string;
  readonly cps?: string | undefined;
  /** Explicit text of a user notice. */
  readonly notice?: string | undefined;
}

const cpsId = "1.3.6.1.5.5.7.2.1";
const noticeId = "1.3.6.1.5.5.7.2.2";

export const certificatePolicies = (policies: readonly CertificatePolicy[]): Extension =>
  extension(extensionIds.certificatePolicies, false, sequence(...policies.map(encodePolicy)));

function encodePolicy({ oid, cps, notice }: CertificatePolicy): Uint8Array {
  const id = encodedId(oid, "a certificate policy");
  const qualifiers: Uint8Array[] = [];
  if (notice) qualifiers.push(sequence(objectIdentifier(noticeId), sequence(utf8String(notice))));
  if (cps) {
    if (!/^[\x20-\x7e]+$/.test(cps)) throw new X509Error(`the CPS URI ${JSON.stringify(cps)} must be printable ASCII`);
    qualifiers.push(sequence(objectIdentifier(cpsId), ia5String(cps)));
  }
  return qualifiers.length === 0 ? sequence(id) : sequence(id, sequence(...qualifiers));
}

export const parseCertificatePolicies = (value: Uint8Array): CertificatePolicy[] =>
  reading("certificate policies extension", () =>
    membersOf(readElement(value)).map((policy) => {
      const members = new Fields(policy);
      const oid = objectIdentifierOf(members.next());
      const qualifiers = members.optional(tags.sequence);
      members.end();
      return Object.assign({ oid }, ...(qualifiers ? membersOf(qualifiers).map(readQualifier) : []));
    }),
  );

function readQualifier(qualifier: Element): Partial<CertificatePolicy> {
  const members = new Fields(qualifier);
  const id = objectIdentifierOf(members.next());
  const value = members.next();
  members.end();
  if (id === cpsId && value.tag === tags.ia5String) return { cps: asciiOf(value.content) };
  if (id !== noticeId) return {};
  const notice = new Fields(value);
  // A reference to a numbered notice elsewhere, which nobody uses.
  notice.optional(tags.sequence);
  return notice.isAtEnd ? {} : { notice: strictStringOf(notice.next()) };
}

/**
 * What roles call `policy_identifiers`: each entry an OID or a JSON object `{"oid", "notice", "cps"}` as text (or as an object).
 * X509Error: `policy identifier "x" is neither a valid OID nor …`.
 */
export function parsePolicyIdentifier(entry: unknown): CertificatePolicy {
  if (typeof entry === "string" && isObjectIdentifier(entry.trim())) return { oid: entry.trim() };
  const { oid, notice, cps } = objectOf(entry);
  const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === "string";
  if (typeof oid !== "string" || !isObjectIdentifier(oid) || !isText(notice) || !isText(cps)) {
    const shown = typeof entry === "string" ? entry : JSON.stringify(entry);
    throw new X509Error(
      `policy identifier ${JSON.stringify(shown)} is neither a valid OID nor a JSON object with an "oid" and, if wanted, "notice" and "cps"`,
    );
  }
  return { oid, ...(notice ? { notice } : {}), ...(cps ? { cps } : {}) };
}

function objectOf(entry: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof entry === "string" ? JSON.parse(entry) : entry;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Critical (RFC 5280, 4.2.1.14). */
export const inhibitAnyPolicy = (skip: number): Extension =>
  extension(extensionIds.inhibitAnyPolicy, true, integer(skip));
