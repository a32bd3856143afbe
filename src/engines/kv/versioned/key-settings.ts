/** Changes the settings of one secret, guarded by the count of such changes. */
import { invalidRequest } from "../../../api/errors.ts";
import { type CustomMetadata, checkCustomMetadata } from "./custom-metadata.ts";
import { type Key, newKey } from "./key.ts";
import { checkMaxVersions, type MountSettings } from "./settings.ts";

/** What to change; what is undefined stays as it is. */
export interface KeyChanges {
  readonly max_versions?: number | undefined;
  readonly cas_required?: boolean | undefined;
  readonly metadata_cas_required?: boolean | undefined;
  readonly delete_version_after?: number | undefined;
  readonly custom_metadata?: CustomMetadata | null | undefined;
}

export const changesNothing = (changes: KeyChanges) => Object.values(changes).every((value) => value === undefined);

export function withSettings(key: Key | undefined, changes: KeyChanges, now: number): Key {
  checkChanges(changes);
  const before = key ?? newKey(now);
  return {
    ...before,
    max_versions: changes.max_versions ?? before.max_versions,
    cas_required: changes.cas_required ?? before.cas_required,
    metadata_cas_required: changes.metadata_cas_required ?? before.metadata_cas_required,
    delete_version_after: changes.delete_version_after ?? before.delete_version_after,
    custom_metadata:
      changes.custom_metadata === undefined ? before.custom_metadata : nullIfEmpty(changes.custom_metadata),
    current_metadata_version: before.current_metadata_version + 1,
    updated_time: now,
  };
}

const nullIfEmpty = (metadata: CustomMetadata | null) =>
  metadata && Object.keys(metadata).length > 0 ? metadata : null;

export function checkMetadataCas(given: number | undefined, key: Key | undefined, mount: MountSettings): void {
  if (given === undefined) {
    if (!mount.metadata_cas_required && !key?.metadata_cas_required) return;
    throw invalidRequest("metadata check-and-set parameter required for this call");
  }
  if (!key && given !== 0) throw invalidRequest("metadata_cas must be 0 when there is no metadata yet");
  if (key && given !== key.current_metadata_version) {
    throw invalidRequest("metadata check-and-set parameter does not match the current version");
  }
}

/** A secret can ask for more care than its mount does, never for less. */
export function warnings(
  { cas_required, metadata_cas_required, delete_version_after }: KeyChanges,
  mount: MountSettings,
) {
  const found: string[] = [];
  const mandated = (name: string) => `"${name}" was set to false, but the mount's config requires it: it has no effect`;
  if (cas_required === false && mount.cas_required) found.push(mandated("cas_required"));
  if (metadata_cas_required === false && mount.metadata_cas_required) found.push(mandated("metadata_cas_required"));
  if (delete_version_after) {
    const { delete_version_after: longest } = mount;
    if (longest < 0) found.push('"delete_version_after" has no effect: the mount\'s config turns it off');
    if (longest > 0 && delete_version_after > longest) {
      found.push('"delete_version_after" is longer than the mount\'s config allows: the shorter time counts');
    }
  }
  return found;
}

function checkChanges({ max_versions, delete_version_after, custom_metadata }: KeyChanges): void {
  if (max_versions !== undefined) checkMaxVersions(max_versions);
  if (delete_version_after !== undefined && delete_version_after < 0) {
    throw invalidRequest("delete_version_after must not be negative; 0 leaves it to the mount's config");
  }
  if (custom_metadata) checkCustomMetadata(custom_metadata);
}
