/** Where to find the issuer's certificate, its OCSP service and its revocation lists: AIA, CRL distribution points, freshest CRL. */
import { Fields } from "../der/fields.ts";
import { membersOf, objectIdentifierOf, readElement } from "../der/reader.ts";
import { constructed, primitive } from "../der/tags.ts";
import { asciiOf } from "../der/text.ts";
import { explicit, objectIdentifier, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { encodeUri, nameKinds, readNames } from "./general-name.ts";
import { reading } from "./x509-error.ts";

export interface InformationAccess {
  readonly ocspServers: readonly string[];
  readonly issuingCertificates: readonly string[];
}

const ocspId = "1.3.6.1.5.5.7.48.1";
const issuerId = "1.3.6.1.5.5.7.48.2";
const ocspMethod = objectIdentifier(ocspId);
const issuerMethod = objectIdentifier(issuerId);

export function authorityInfoAccess({ ocspServers, issuingCertificates }: InformationAccess): Extension {
  const value = sequence(
    ...ocspServers.map((url) => sequence(ocspMethod, encodeUri(url))),
    ...issuingCertificates.map((url) => sequence(issuerMethod, encodeUri(url))),
  );
  return extension(extensionIds.authorityInfoAccess, false, value);
}

/** One distribution point per URL. */
export const crlDistributionPoints = (urls: readonly string[]): Extension =>
  extension(extensionIds.crlDistributionPoints, false, encodePoints(urls));

/** Where the delta of a list (or of the list of a certificate) is. */
export const freshestCrl = (urls: readonly string[]): Extension =>
  extension(extensionIds.freshestCrl, false, encodePoints(urls));

const encodePoints = (urls: readonly string[]): Uint8Array =>
  sequence(...urls.map((url) => sequence(explicit(0, fullName([url])))));

/** The `fullName` way of naming a distribution point. */
export const fullName = (urls: readonly string[]): Uint8Array => explicit(0, ...urls.map(encodeUri));

export const parseInformationAccess = (value: Uint8Array): InformationAccess =>
  reading("authority information access extension", () => {
    const urls = { [ocspId]: [] as string[], [issuerId]: [] as string[] };
    for (const description of membersOf(readElement(value))) {
      const members = new Fields(description);
      const list = urls[objectIdentifierOf(members.next()) as keyof typeof urls];
      const place = members.next();
      members.end();
      if (place.tag === primitive(nameKinds.uri)) list?.push(asciiOf(place.content));
    }
    return { ocspServers: urls[ocspId], issuingCertificates: urls[issuerId] };
  });

/** The URLs of CRL distribution points or of a freshest CRL. */
export const parseDistributionPoints = (value: Uint8Array): string[] =>
  reading("distribution points extension", () =>
    membersOf(readElement(value)).flatMap((point) => {
      const members = new Fields(point);
      const name = members.optional(constructed(0));
      members.optional(primitive(1));
      members.optional(constructed(2));
      members.end();
      const [choice] = name ? membersOf(name, constructed(0)) : [];
      return choice?.tag === constructed(0) ? readNames(membersOf(choice, constructed(0))).uris : [];
    }),
  );
