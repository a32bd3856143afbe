/** What a mount calls an entity or a group; kept inside the record of that entity or group. */

import type { IdentityHost } from "./host.ts";
import { newId } from "./identifier.ts";
import type { Metadata } from "./metadata.ts";

export interface Alias {
  readonly id: string;
  readonly name: string;
  readonly mount_accessor: string;
  /** What the auth method told at the last login. */
  readonly metadata: Metadata;
  /** What an administrator noted. */
  readonly custom_metadata: Metadata;
  readonly local: boolean;
  readonly merged_from_canonical_ids: readonly string[];
  readonly creation_time: string;
  readonly last_update_time: string;
}

type Named = Pick<Alias, "name" | "mount_accessor"> & Partial<Alias>;

export const newAlias = (named: Named, host: IdentityHost, now: Date): Alias => ({
  id: newId(host),
  metadata: {},
  custom_metadata: {},
  local: false,
  merged_from_canonical_ids: [],
  creation_time: now.toISOString(),
  last_update_time: now.toISOString(),
  ...named,
});
