/** The extensions of a certificate or request, each known one read. */
import type { Element } from "../der/reader.ts";
import { parseAlternativeNames } from "./alternative-names.ts";
import { type BasicConstraints, parseBasicConstraints } from "./basic-constraints.ts";
import { type CertificatePolicy, parseCertificatePolicies } from "./certificate-policies.ts";
import { type Extension, extensionIds, readExtensions } from "./extension.ts";
import { type AlternativeNames, noNames } from "./general-name.ts";
import { type InformationAccess, parseDistributionPoints, parseInformationAccess } from "./information-access.ts";
import { parseAuthorityKeyId, parseSubjectKeyId } from "./key-identifier.ts";
import { type KeyUsage, parseExtendedKeyUsage, parseKeyUsage } from "./key-usage.ts";
import { type NameConstraints, parseNameConstraints } from "./name-constraints.ts";

export interface ExtensionSet {
  /** In their order. */
  readonly all: readonly Extension[];
  readonly byId: ReadonlyMap<string, Extension>;
  readonly names: AlternativeNames;
  readonly basicConstraints?: BasicConstraints | undefined;
  readonly keyUsages?: readonly KeyUsage[] | undefined;
  /** Object identifiers. */
  readonly extendedKeyUsages?: readonly string[] | undefined;
  readonly subjectKeyId?: Uint8Array | undefined;
  readonly authorityKeyId?: Uint8Array | undefined;
  readonly informationAccess?: InformationAccess | undefined;
  readonly crlDistributionPoints?: readonly string[] | undefined;
  readonly freshestCrl?: readonly string[] | undefined;
  readonly policies?: readonly CertificatePolicy[] | undefined;
  readonly nameConstraints?: NameConstraints | undefined;
}

/** Of the sequence of extensions; undefined where there is none. Throws for any known extension that is malformed. */
export function readExtensionSet(element: Element | undefined): ExtensionSet {
  const all = element ? readExtensions(element) : [];
  const byId = new Map(all.map((each) => [each.oid, each]));
  const read = <T>(oid: string, parse: (value: Uint8Array) => T): T | undefined => {
    const found = byId.get(oid);
    return found && parse(found.value);
  };
  return {
    all,
    byId,
    names: read(extensionIds.subjectAltName, parseAlternativeNames) ?? noNames,
    basicConstraints: read(extensionIds.basicConstraints, parseBasicConstraints),
    keyUsages: read(extensionIds.keyUsage, parseKeyUsage),
    extendedKeyUsages: read(extensionIds.extendedKeyUsage, parseExtendedKeyUsage),
    subjectKeyId: read(extensionIds.subjectKeyId, parseSubjectKeyId),
    authorityKeyId: read(extensionIds.authorityKeyId, parseAuthorityKeyId),
    informationAccess: read(extensionIds.authorityInfoAccess, parseInformationAccess),
    crlDistributionPoints: read(extensionIds.crlDistributionPoints, parseDistributionPoints),
    freshestCrl: read(extensionIds.freshestCrl, parseDistributionPoints),
    policies: read(extensionIds.certificatePolicies, parseCertificatePolicies),
    nameConstraints: read(extensionIds.nameConstraints, parseNameConstraints),
  };
}
