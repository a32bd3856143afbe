/** Which versions have worked on this store, and since when. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";

export interface InstalledVersion {
  /** RFC 3339. */
  readonly timestamp_installed: string;
  readonly previous_version: string | null;
  /** Null where the version does not know when it was made. */
  readonly commit_date: string | null;
}

export const versionsIn = (storage: Storage) => new Collection<InstalledVersion>(storage, "core/versions/");

/** Writes only the first time: a version that comes back is no news. */
export async function recordVersion(version: string, buildDate: string, now: Date, storage: Storage): Promise<void> {
  const versions = versionsIn(storage);
  if (await versions.has(version)) return;
  versions.put(version, {
    timestamp_installed: now.toISOString(),
    previous_version: await latest(storage),
    commit_date: buildDate === "" ? null : buildDate,
  });
}

async function latest(storage: Storage): Promise<string | null> {
  const versions = versionsIn(storage);
  let found: { readonly name: string; readonly since: string } | undefined;
  for (const name of await versions.list()) {
    const since = (await versions.get(name))?.timestamp_installed ?? "";
    if (found === undefined || since > found.since) found = { name, since };
  }
  return found?.name ?? null;
}
