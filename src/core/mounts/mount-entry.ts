/** One row of the mount table, as stored. */

export interface MountEntry {
  /** Ends in a slash; an auth method's path begins with `auth/`. */
  readonly path: string;
  readonly type: string;
  readonly uuid: string;
  readonly accessor: string;
  readonly description: string;
  readonly local: boolean;
  readonly seal_wrap: boolean;
  readonly external_entropy_access: boolean;
  readonly options: Readonly<Record<string, string>> | null;
  readonly config: MountConfig;
}

/** What `tune` sets; a lifetime of 0 stands for the system's own. */
export interface MountConfig {
  readonly default_lease_ttl: number;
  readonly max_lease_ttl: number;
  readonly force_no_cache: boolean;
  readonly listing_visibility?: "hidden" | "unauth";
  readonly passthrough_request_headers?: readonly string[];
  readonly allowed_response_headers?: readonly string[];
  readonly audit_non_hmac_request_keys?: readonly string[];
  readonly audit_non_hmac_response_keys?: readonly string[];
  readonly token_type?: TokenKind;
  readonly plugin_version?: string;
  readonly user_lockout_config?: UserLockout;
}

export const tokenKinds = ["default-service", "default-batch", "service", "batch"] as const;
export type TokenKind = (typeof tokenKinds)[number];

export interface UserLockout {
  readonly lockout_threshold: number;
  /** Seconds. */
  readonly lockout_duration: number;
  readonly lockout_counter_reset: number;
  readonly lockout_disable: boolean;
}

/** How long what a mount gives out lives when nobody says, and at the most. */
export interface MountLifetimes {
  readonly defaultSeconds: number;
  readonly maxSeconds: number;
}

export const isAuth = ({ path }: Pick<MountEntry, "path">): boolean => path.startsWith("auth/");

/** The mount's own lifetimes where it has any, else the system's. */
export const tunedLifetimes = ({ config }: MountEntry, system: MountLifetimes): MountLifetimes => ({
  defaultSeconds: config.default_lease_ttl || system.defaultSeconds,
  maxSeconds: config.max_lease_ttl || system.maxSeconds,
});
