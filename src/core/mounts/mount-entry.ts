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
  readonly options: Readonly<Record<string, string>> | null;
  readonly config: MountConfig;
}

/** What `tune` sets; a lifetime of 0 stands for the system's own. */
export interface MountConfig {
  readonly default_lease_ttl: number;
  readonly max_lease_ttl: number;
  readonly force_no_cache: boolean;
}

/** How long what a mount gives out lives when nobody says, and at the most. */
export interface MountLifetimes {
  readonly defaultSeconds: number;
  readonly maxSeconds: number;
}
