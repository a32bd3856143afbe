/** When the keyring rotates by itself: after so many encryptions, or after so much time. */
import { invalidRequest } from "../../api/errors.ts";

export interface RotationSettings {
  readonly enabled: boolean;
  readonly max_operations: number;
  /** Seconds; 0 for never because of age. */
  readonly interval: number;
}

const leastOperations = 1_000_000;
/** 90 % of 2^32, the number of random nonces after which a repetition stops being unlikely enough (NIST SP 800-38D). */
const mostOperations = 3_865_470_566;
const day = 24 * 60 * 60;

export const defaultRotation: RotationSettings = { enabled: true, max_operations: mostOperations, interval: 0 };

/** The settings after a change; refuses what is out of range. */
export function changedRotation(now: RotationSettings, change: Partial<RotationSettings>): RotationSettings {
  const { enabled = now.enabled, max_operations = now.max_operations, interval = now.interval } = change;
  if (!Number.isInteger(max_operations) || max_operations < leastOperations || max_operations > mostOperations) {
    throw invalidRequest(
      `max_operations must be between ${leastOperations} and ${mostOperations}, not ${max_operations}`,
    );
  }
  if (!Number.isInteger(interval) || (interval !== 0 && interval < day)) {
    throw invalidRequest(`interval must be 0 (never) or at least 24 hours, not ${interval} seconds`);
  }
  return { enabled, max_operations, interval };
}
