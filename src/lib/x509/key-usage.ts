/** What a key may be used for: the key usage and extended key usage extensions. */
import type { Extension } from "./extension.ts";

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

/** Whatever the letter case, also with the prefix `KeyUsage`. */
export function keyUsageNamed(_name: string): KeyUsage | undefined {
  throw new Error("not written yet");
}

/** The object identifier of a usage, whatever the letter case, also with the prefix `ExtKeyUsage`. */
export function extendedKeyUsageNamed(_name: string): string | undefined {
  throw new Error("not written yet");
}

/** Always critical. Must not be called with an empty list. */
export function keyUsage(_usages: readonly KeyUsage[]): Extension {
  throw new Error("not written yet");
}

export function parseKeyUsage(_value: Uint8Array): KeyUsage[] {
  throw new Error("not written yet");
}

/** By object identifiers; an X509Error for one that is none. */
export function extendedKeyUsage(_oids: readonly string[], _isCritical?: boolean): Extension {
  throw new Error("not written yet");
}

export function parseExtendedKeyUsage(_value: Uint8Array): string[] {
  throw new Error("not written yet");
}
