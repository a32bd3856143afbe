/** Extensions of revocation lists and of their entries; and the reasons for a revocation. */
import type { Extension } from "./extension.ts";

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

export type RevocationReason = keyof typeof revocationReasons;

export function crlNumber(_number: bigint): Extension {
  throw new Error("not written yet");
}

/** Critical: this list only says what changed since that complete list. */
export function deltaCrlIndicator(_baseNumber: bigint): Extension {
  throw new Error("not written yet");
}

export interface IssuingDistributionPoint {
  readonly urls?: readonly string[];
  readonly onlyUserCertificates?: boolean;
  readonly onlyAuthorities?: boolean;
  readonly isIndirect?: boolean;
}

/** Critical. */
export function issuingDistributionPoint(_point: IssuingDistributionPoint): Extension {
  throw new Error("not written yet");
}
