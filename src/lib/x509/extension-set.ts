/** The extensions of a certificate or request, each known one read. */
import type { BasicConstraints } from "./basic-constraints.ts";
import type { CertificatePolicy } from "./certificate-policies.ts";
import type { Extension } from "./extension.ts";
import type { AlternativeNames } from "./general-name.ts";
import type { InformationAccess } from "./information-access.ts";
import type { KeyUsage } from "./key-usage.ts";
import type { NameConstraints } from "./name-constraints.ts";

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
