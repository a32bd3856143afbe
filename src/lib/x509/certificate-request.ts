/** Certificate requests (CSR, PKCS#10): read, checked, built. RFC 2986. */
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, integerOf, membersOf, objectIdentifierOf, readElement } from "../der/reader.ts";
import { constructed, tags } from "../der/tags.ts";
import { explicit, integer, objectIdentifier, sequence, setOf } from "../der/writer.ts";
import type { Extension } from "./extension.ts";
import { type ExtensionSet, readExtensionSet } from "./extension-set.ts";
import { type PublicKey, parsePublicKey } from "./key.ts";
import { type Name, readName } from "./name.ts";
import type { Signer } from "./signature.ts";
import { isSignatureOf, readSigned, type Signed, signed } from "./signed.ts";
import { reading } from "./x509-error.ts";

export interface CertificateRequest extends Signed {
  readonly der: Uint8Array;
  readonly subject: Name;
  readonly publicKey: PublicKey;
  readonly extensions: ExtensionSet;
}

export interface RequestFields {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Extension[];
}

const extensionRequest = "1.2.840.113549.1.9.14";

/** Strict; does not check the signature. X509Error for anything odd and for keys of unsupported kinds. */
export const parseRequest = (der: Uint8Array): CertificateRequest =>
  reading("certificate request", () => {
    const outer = readSigned(der);
    const members = new Fields(readElement(outer.toBeSigned));
    if (integerOf(members.next()) !== 0n) throw new DerError("only version 1 is known");
    const subject = readName(members.required(tags.sequence).whole);
    const publicKey = parsePublicKey(members.required(tags.sequence).whole);
    const attributes = members.optional(constructed(0));
    members.end();
    return { ...outer, der, subject, publicKey, extensions: readExtensionSet(requestedExtensions(attributes)) };
  });

function requestedExtensions(attributes: Element | undefined): Element | undefined {
  let found: Element | undefined;
  for (const attribute of attributes ? membersOf(attributes, attributes.tag) : []) {
    const members = new Fields(attribute);
    const isWanted = objectIdentifierOf(members.next()) === extensionRequest;
    const values = membersOf(members.next(), tags.set);
    members.end();
    if (!isWanted) continue;
    if (found || values.length !== 1) throw new DerError("extensions are asked for more than once");
    found = values[0];
  }
  return found;
}

/** Whether whoever made the request holds the key. */
export const isRequestSigned = (request: CertificateRequest): boolean => isSignatureOf(request, request.publicKey);

/** DER. */
export function buildRequest({ subject, publicKey, extensions }: RequestFields, signer: Signer): Uint8Array {
  const attributes =
    extensions.length === 0
      ? []
      : [sequence(objectIdentifier(extensionRequest), setOf(sequence(...extensions.map(({ der }) => der))))];
  return signed(sequence(integer(0), subject, publicKey, explicit(0, ...attributes)), signer);
}
