/** The subject and authority key identifier extensions. */
import { Fields } from "../der/fields.ts";
import { octetsOf, readElement } from "../der/reader.ts";
import { constructed, primitive } from "../der/tags.ts";
import { implicit, octetString, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { reading } from "./x509-error.ts";

export const subjectKeyId = (id: Uint8Array): Extension => extension(extensionIds.subjectKeyId, false, octetString(id));

export const authorityKeyId = (id: Uint8Array): Extension =>
  extension(extensionIds.authorityKeyId, false, sequence(implicit(0, id)));

export const parseSubjectKeyId = (value: Uint8Array): Uint8Array =>
  reading("subject key identifier extension", () => octetsOf(readElement(value)));

/** Undefined where only issuer and serial are given. */
export const parseAuthorityKeyId = (value: Uint8Array): Uint8Array | undefined =>
  reading("authority key identifier extension", () => {
    const members = new Fields(readElement(value));
    const id = members.optional(primitive(0));
    members.optional(constructed(1));
    members.optional(primitive(2));
    members.end();
    return id?.content;
  });

/** Hexadecimal with `:`, `-`, spaces or nothing between octets; undefined for anything else. */
export function parseKeyIdText(text: string): Uint8Array | undefined {
  const hex = text.replace(/[:\- ]/g, "");
  return hex.length > 0 && hex.length % 2 === 0 && hex.length <= 256 && /^[\da-f]+$/i.test(hex)
    ? Buffer.from(hex, "hex")
    : undefined;
}
