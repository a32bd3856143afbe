/** What a key may be used for: the key usage and extended key usage extensions. */
import { DerError } from "../der/der-error.ts";
import { membersOf, namedBitsOf, objectIdentifierOf, readElement } from "../der/reader.ts";
import { namedBits, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { encodedId } from "./object-ids.ts";
import { reading } from "./x509-error.ts";

/** In the order of their bits. */
export const keyUsageNames = [
  "DigitalSignature",
  "ContentCommitment",
  "KeyEncipherment",
  "DataEncipherment",
  "KeyAgreement",
  "CertSign",
  "CRLSign",
  "EncipherOnly",
  "DecipherOnly",
] as const;

export type KeyUsage = (typeof keyUsageNames)[number];

/** Object identifiers by the names that roles use. */
export const extendedKeyUsages = {
  Any: "2.5.29.37.0",
  ServerAuth: "1.3.6.1.5.5.7.3.1",
  ClientAuth: "1.3.6.1.5.5.7.3.2",
  CodeSigning: "1.3.6.1.5.5.7.3.3",
  EmailProtection: "1.3.6.1.5.5.7.3.4",
  IPSECEndSystem: "1.3.6.1.5.5.7.3.5",
  IPSECTunnel: "1.3.6.1.5.5.7.3.6",
  IPSECUser: "1.3.6.1.5.5.7.3.7",
  TimeStamping: "1.3.6.1.5.5.7.3.8",
  OCSPSigning: "1.3.6.1.5.5.7.3.9",
  MicrosoftServerGatedCrypto: "1.3.6.1.4.1.311.10.3.3",
  NetscapeServerGatedCrypto: "2.16.840.1.113730.4.1",
} as const;

const keyUsagesByName = new Map<string, KeyUsage>([
  ...keyUsageNames.map((name): [string, KeyUsage] => [name.toLowerCase(), name]),
  ["nonrepudiation", "ContentCommitment"],
  ["keycertsign", "CertSign"],
]);
const extendedByName = new Map<string, string>(
  Object.entries(extendedKeyUsages).map(([name, oid]) => [name.toLowerCase(), oid]),
);

/** Whatever the letter case, also with the prefix `KeyUsage`. */
export function keyUsageNamed(name: string): KeyUsage | undefined {
  const lower = name.trim().toLowerCase();
  return keyUsagesByName.get(lower.startsWith("keyusage") ? lower.slice("keyusage".length) : lower);
}

/** The object identifier of a usage, whatever the letter case, also with the prefix `ExtKeyUsage`. */
export function extendedKeyUsageNamed(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  return extendedByName.get(lower.startsWith("extkeyusage") ? lower.slice("extkeyusage".length) : lower);
}

/** Always critical. Must not be called with an empty list. */
export const keyUsage = (usages: readonly KeyUsage[]): Extension =>
  extension(extensionIds.keyUsage, true, namedBits(keyUsageNames.map((name) => usages.includes(name))));

export const parseKeyUsage = (value: Uint8Array): KeyUsage[] =>
  reading("key usage extension", () =>
    namedBitsOf(readElement(value)).map((bit) => {
      const name = keyUsageNames[bit];
      if (name === undefined) throw new DerError(`bit ${bit} has no meaning`);
      return name;
    }),
  );

/** By object identifiers; an X509Error for one that is none. */
export const extendedKeyUsage = (oids: readonly string[], isCritical = false): Extension =>
  extension(
    extensionIds.extendedKeyUsage,
    isCritical,
    sequence(...oids.map((oid) => encodedId(oid, "an extended key usage"))),
  );

export const parseExtendedKeyUsage = (value: Uint8Array): string[] =>
  reading("extended key usage extension", () => {
    const oids = membersOf(readElement(value)).map(objectIdentifierOf);
    if (oids.length === 0) throw new DerError("it names no usage");
    return oids;
  });
