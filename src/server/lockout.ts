/** The configured lockout of users, as auth methods take it. */
import type { LockoutRules } from "../api/lockout.ts";
import type { UserLockout } from "../config/user-lockout.ts";

export const lockoutOf =
  (configured: UserLockout) =>
  (type: string): LockoutRules | undefined => {
    const found = Object.hasOwn(configured, type) ? configured[type as keyof UserLockout] : undefined;
    return (
      found && {
        threshold: found.lockout_threshold,
        durationSeconds: found.lockout_duration,
        counterResetSeconds: found.lockout_counter_reset,
        disabled: found.disable_lockout,
      }
    );
  };
