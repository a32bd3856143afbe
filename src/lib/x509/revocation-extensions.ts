/** Extensions of revocation lists and of their entries; and the reasons for a revocation. */
import { generalizedTime } from "../der/time.ts";
import { enumerated, explicit, implicit, integer, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";
import { fullName } from "./information-access.ts";
import { X509Error } from "./x509-error.ts";

/** RFC 5280, 5.3.1. There is no 7. */
export const revocationReasons = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  removeFromCRL: 8,
  privilegeWithdrawn: 9,
  aACompromise: 10,
} as const;

export const crlNumber = (number: bigint): Extension => extension(extensionIds.crlNumber, false, integer(number));

/** Critical: this list only says what changed since that complete list. */
export const deltaCrlIndicator = (baseNumber: bigint): Extension =>
  extension(extensionIds.deltaCrlIndicator, true, integer(baseNumber));

export interface IssuingDistributionPoint {
  readonly urls?: readonly string[];
  readonly onlyUserCertificates?: boolean;
  readonly onlyAuthorities?: boolean;
  readonly isIndirect?: boolean;
}

const yes = Uint8Array.of(0xff);

/** Critical. */
export function issuingDistributionPoint(point: IssuingDistributionPoint): Extension {
  const { urls = [], onlyUserCertificates, onlyAuthorities, isIndirect } = point;
  const value = sequence(
    ...(urls.length > 0 ? [explicit(0, fullName(urls))] : []),
    ...(onlyUserCertificates ? [implicit(1, yes)] : []),
    ...(onlyAuthorities ? [implicit(2, yes)] : []),
    ...(isIndirect ? [implicit(4, yes)] : []),
  );
  return extension(extensionIds.issuingDistributionPoint, true, value);
}

const isRevocationReason = (code: number): boolean => (Object.values(revocationReasons) as number[]).includes(code);

/** Of an entry. 0 (unspecified) should be left out instead (RFC 5280, 5.3.1). */
export function reasonCode(code: number): Extension {
  if (!isRevocationReason(code)) throw new X509Error(`${code} is not a reason for a revocation: use 0 to 6 or 8 to 10`);
  return extension(extensionIds.reasonCode, false, enumerated(code));
}

/** Of an entry: since when the key may have been in wrong hands. */
export const invalidityDate = (date: Date): Extension =>
  extension(extensionIds.invalidityDate, false, generalizedTime(date));
