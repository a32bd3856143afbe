/** The subject alternative name extension. */
import { DerError } from "../der/der-error.ts";
import { membersOf, readElement } from "../der/reader.ts";
import { sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { type AlternativeNames, encodeNames, readNames } from "./general-name.ts";
import { reading } from "./x509-error.ts";

/** In the order: other names, DNS, e-mail, IP, URI. Critical only where the subject is empty. X509Error for names that cannot be encoded. */
export const subjectAltName = (names: Partial<AlternativeNames>, isCritical = false): Extension =>
  extension(extensionIds.subjectAltName, isCritical, sequence(...encodeNames(names)));

export const parseAlternativeNames = (value: Uint8Array): AlternativeNames =>
  reading("subject alternative name extension", () => {
    const elements = membersOf(readElement(value));
    if (elements.length === 0) throw new DerError("it has no names");
    return readNames(elements);
  });
