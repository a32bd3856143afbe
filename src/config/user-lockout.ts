/** `user_lockout "<method>"`: how many failed logins lock a user out, and for how long. */
import { duration, flag, integer } from "./kinds.ts";
import type { Values } from "./setting.ts";
import type { Stanza, StanzaDeclaration } from "./stanza.ts";

export const lockoutSettings = {
  lockout_threshold: integer("Failed logins in a row that lock a user out. 5 if not set", {
    least: 1,
    most: 1_000_000,
  }),
  lockout_duration: duration("How long the user stays locked out. 15m if not set"),
  lockout_counter_reset: duration("Time without a failed login after which counting begins anew. 15m if not set"),
  disable_lockout: flag("Never lock anybody out. False if not set"),
};

type LockoutMethod = "userpass" | "approle" | "ldap";

/** Durations in seconds. */
export interface LockoutConfig {
  readonly lockout_threshold: number;
  readonly lockout_duration: number;
  readonly lockout_counter_reset: number;
  readonly disable_lockout: boolean;
}

export type UserLockout = Readonly<Record<LockoutMethod, LockoutConfig>>;

const standard: LockoutConfig = {
  lockout_threshold: 5,
  lockout_duration: 900,
  lockout_counter_reset: 900,
  disable_lockout: false,
};

const lockoutTypes = {
  all: lockoutSettings,
  userpass: lockoutSettings,
  approle: lockoutSettings,
  ldap: lockoutSettings,
};

export const lockoutStanza: StanzaDeclaration<typeof lockoutTypes> = { name: "user_lockout", types: lockoutTypes };

/** For each method its own settings come first, then those for all methods, then the defaults. */
export function resolveLockout(stanzas: readonly Stanza<typeof lockoutTypes>[]): UserLockout {
  const given = new Map<string, Partial<LockoutConfig>>();
  for (const { values } of stanzas) given.set(values.type, { ...given.get(values.type), ...withoutUndefined(values) });
  const resolve = (method: LockoutMethod) => ({ ...standard, ...given.get("all"), ...given.get(method) });
  return { userpass: resolve("userpass"), approle: resolve("approle"), ldap: resolve("ldap") };
}

function withoutUndefined({
  lockout_threshold,
  lockout_duration,
  lockout_counter_reset,
  disable_lockout,
}: Values<typeof lockoutSettings>): Partial<LockoutConfig> {
  const settings = { lockout_threshold, lockout_duration, lockout_counter_reset, disable_lockout };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
