/** What the configuration of a versioned mount says for all of its secrets. */
import type { Single } from "../../../api/collection.ts";
import { invalidRequest } from "../../../api/errors.ts";

export interface MountSettings {
  /** How many versions a secret keeps; 0 for ten. */
  readonly max_versions: number;
  readonly cas_required: boolean;
  /** Seconds; 0 for never, negative to overrule also what single secrets ask for. */
  readonly delete_version_after: number;
  readonly metadata_cas_required: boolean;
}

const initialSettings: MountSettings = {
  max_versions: 0,
  cas_required: false,
  delete_version_after: 0,
  metadata_cas_required: false,
};

export async function settingsOf(stored: Single<MountSettings>): Promise<MountSettings> {
  return (await stored.get()) ?? initialSettings;
}

const mostVersions = 0xffff_ffff;

export function checkMaxVersions(count: number): void {
  if (count >= 0 && count <= mostVersions) return;
  throw invalidRequest(`max_versions must be between 0 and ${mostVersions}; 0 leaves the number to the default`);
}
