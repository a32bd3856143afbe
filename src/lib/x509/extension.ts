/** One extension of a certificate, request or revocation list; and those that we know by name. */
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { booleanOf, type Element, membersOf, objectIdentifierOf, octetsOf } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { boolean, objectIdentifier, octetString, sequence } from "../der/writer.ts";
import { encodedId } from "./object-ids.ts";

export interface Extension {
  readonly oid: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
  /** The whole extension in DER, made once: keep the extensions of an issuer and pass them again. */
  readonly der: Uint8Array;
}

export const extensionIds = {
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  crlNumber: "2.5.29.20",
  reasonCode: "2.5.29.21",
  invalidityDate: "2.5.29.24",
  deltaCrlIndicator: "2.5.29.27",
  issuingDistributionPoint: "2.5.29.28",
  nameConstraints: "2.5.29.30",
  crlDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  authorityKeyId: "2.5.29.35",
  policyConstraints: "2.5.29.36",
  extendedKeyUsage: "2.5.29.37",
  freshestCrl: "2.5.29.46",
  inhibitAnyPolicy: "2.5.29.54",
  authorityInfoAccess: "1.3.6.1.5.5.7.1.1",
  tlsFeature: "1.3.6.1.5.5.7.1.24",
  acmeIdentifier: "1.3.6.1.5.5.7.1.31",
  ocspNoCheck: "1.3.6.1.5.5.7.48.1.5",
  ocspNonce: "1.3.6.1.5.5.7.48.1.2",
} as const;

/** Any extension by its object identifier (dotted); an X509Error if that is none. `value` is DER as it goes into the octet string. */
export function extension(oid: string, isCritical: boolean, value: Uint8Array): Extension {
  const id = knownIds.get(oid) ?? encodedId(oid, "an extension");
  const der = isCritical ? sequence(id, critical, octetString(value)) : sequence(id, octetString(value));
  return { oid, isCritical, value, der };
}

const knownIds = new Map(Object.values(extensionIds).map((oid) => [oid as string, objectIdentifier(oid)]));
const critical = boolean(true);

/** Throws a DerError, also where one kind is there twice: it would be open which one counts (RFC 5280, 4.2). */
export function readExtensions(element: Element): Extension[] {
  const seen = new Set<string>();
  return membersOf(element).map((each) => {
    const read = readExtension(each);
    if (seen.has(read.oid)) throw new DerError(`the extension ${read.oid} is there twice`);
    seen.add(read.oid);
    return read;
  });
}

function readExtension(element: Element): Extension {
  const members = new Fields(element);
  const oid = objectIdentifierOf(members.next());
  const flag = members.optional(tags.boolean);
  const isCritical = flag !== undefined && booleanOf(flag);
  const value = octetsOf(members.next());
  members.end();
  return { oid, isCritical, value, der: element.whole };
}
