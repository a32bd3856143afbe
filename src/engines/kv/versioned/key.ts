/**
 * One versioned secret without its data: its settings, and what became of each version.
 * Everything here is a pure step from one state to the next; `Secrets` makes the store agree.
 */
import { formatDuration } from "../../../lib/duration.ts";
import type { JsonObject } from "../../../lib/json.ts";
import type { MountSettings } from "./settings.ts";

export interface Key {
  readonly current_version: number;
  /** 0 until the first version is dropped for being too old. */
  readonly oldest_version: number;
  /** Counts changes of the settings; versions of the data do not move it. */
  readonly current_metadata_version: number;
  /** Times are milliseconds since the epoch. */
  readonly created_time: number;
  readonly updated_time: number;
  readonly max_versions: number;
  readonly cas_required: boolean;
  readonly metadata_cas_required: boolean;
  readonly delete_version_after: number;
  readonly custom_metadata: Readonly<Record<string, string>> | null;
  /** Without gaps, and the last of them is the current one: so a version's place tells its number. */
  readonly versions: readonly Version[];
  /** Data from before the mount had versions; it is version 1, and still lies in the record of the key. */
  readonly unversioned?: Readonly<JsonObject>;
}

export interface Version {
  readonly created_time: number;
  /** When it was deleted, or when its time will be up. */
  readonly deletion_time?: number;
  /** By a caller: then it counts at once, also for a process whose clock is behind. */
  readonly deleted?: true;
  readonly destroyed?: true;
}

const versionsUnlessSet = 10;

export const newKey = (now: number): Key => ({
  current_version: 0,
  oldest_version: 0,
  current_metadata_version: 0,
  created_time: now,
  updated_time: now,
  max_versions: 0,
  cas_required: false,
  metadata_cas_required: false,
  delete_version_after: 0,
  custom_metadata: null,
  versions: [],
});

export const firstNumber = (key: Key) => key.current_version - key.versions.length + 1;

export const versionOf = (key: Key, number: number): Version | undefined => key.versions[number - firstNumber(key)];

export function withNewVersion(key: Key, mount: MountSettings, now: number): Key {
  const current_version = key.current_version + 1;
  const kept = key.max_versions || mount.max_versions || versionsUnlessSet;
  const version: Version = { created_time: now, ...timer(key, mount, now) };
  return {
    ...key,
    current_version,
    oldest_version: Math.max(key.oldest_version, current_version - kept + 1),
    updated_time: now,
    versions: [...key.versions, version].slice(-kept),
  };
}

export const withDeleted = (key: Key, numbers: readonly number[], now: number) =>
  changing(key, numbers, (version) =>
    isGone(version, now) ? version : { ...version, deletion_time: now, deleted: true },
  );

/** Begins the version's time anew, if it has one. */
export const withUndeleted = (key: Key, numbers: readonly number[], mount: MountSettings, now: number) =>
  changing(key, numbers, ({ created_time }) => ({ created_time, ...timer(key, mount, now) }));

export const withDestroyed = (key: Key, numbers: readonly number[]) =>
  changing(key, numbers, (version) => ({ ...version, destroyed: true }));

/** Deleted, past its time, or destroyed: there is no data to give. */
export const isGone = ({ destroyed, deleted, deletion_time }: Version, now: number) =>
  destroyed === true || deleted === true || (deletion_time !== undefined && deletion_time <= now);

export const holdsData = (version: Version | undefined) => version !== undefined && !version.destroyed;

function changing(key: Key, numbers: readonly number[], change: (version: Version) => Version): Key {
  const versions = [...key.versions];
  const first = firstNumber(key);
  let changed = false;
  for (const number of numbers) {
    const version = versions[number - first];
    if (!version || version.destroyed) continue;
    const after = change(version);
    versions[number - first] = after;
    changed ||= after !== version;
  }
  return changed ? { ...key, versions } : key;
}

/** The shorter of what mount and key ask for. */
function timer(key: Key, mount: MountSettings, now: number): Pick<Version, "deletion_time"> {
  if (mount.delete_version_after < 0) return {};
  const asked = [mount.delete_version_after, key.delete_version_after].filter((seconds) => seconds > 0);
  return asked.length === 0 ? {} : { deletion_time: now + Math.min(...asked) * 1000 };
}

/** As callers see it. */
function shownVersion({ created_time, deletion_time, destroyed }: Version) {
  return {
    created_time: timeText(created_time),
    deletion_time: deletion_time === undefined ? "" : timeText(deletion_time),
    destroyed: destroyed === true,
  };
}

/** What an answer says of the version that it is about. */
export const versionMetadata = (key: Key, number: number, version: Version) => ({
  version: number,
  ...shownVersion(version),
  custom_metadata: key.custom_metadata,
});

export function shownKey(key: Key) {
  const versions: Record<string, ReturnType<typeof shownVersion>> = {};
  const first = firstNumber(key);
  for (const [index, version] of key.versions.entries()) versions[first + index] = shownVersion(version);
  return {
    current_version: key.current_version,
    oldest_version: key.oldest_version,
    created_time: timeText(key.created_time),
    updated_time: timeText(key.updated_time),
    max_versions: key.max_versions,
    cas_required: key.cas_required,
    delete_version_after: formatDuration(key.delete_version_after),
    custom_metadata: key.custom_metadata,
    versions,
    current_metadata_version: key.current_metadata_version,
    metadata_cas_required: key.metadata_cas_required,
  };
}

const timeText = (milliseconds: number) => new Date(milliseconds).toISOString();
