/** The data of secrets: each write is a new version, and a deletion can be undone. */
import { invalidRequest } from "../../../api/errors.ts";
import { group, integer, object, sensitive } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { Answered } from "../../../api/reply.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writableName } from "../secret-text.ts";
import { isGone, type Key, newKey, versionMetadata, withDeleted, withNewVersion } from "./key.ts";
import { mergePatch } from "./merge-patch.ts";
import type { VersionedServices } from "./services.ts";
import { type MountSettings, settingsOf } from "./settings.ts";
import { showVersion } from "./shown-version.ts";
import { secretParams, versionFields, versionToRead } from "./version-fields.ts";

const path = pathsFor<VersionedServices>();

const options = group("How to write", {
  cas: integer("Write only if this is the current version's number; 0 if there must be none yet").nullish(),
}).optional();

export const dataPath = path({
  pattern: "data/:path*",
  summary: "Read and write the data of secrets",
  params: secretParams,
  read: {
    summary: "Read the current version of a secret, or the one asked for",
    input: versionToRead,
    output: {
      data: sensitive(object("What was written")).nullable(),
      metadata: group("The version that this is", versionFields),
    },
    async handler({ path, version }, { services: { secrets }, now }) {
      const { metadata, data } = await showVersion(secrets, path, version, now);
      return data ? { data, metadata } : new Answered(404, { data: null, metadata });
    },
  },
  write: {
    summary: "Write a new version of a secret",
    input: { data: sensitive(object("What to store")).optional(), options },
    output: versionFields,
    exists: async ({ path }, { services: { secrets } }) => secrets.has(path),
    async handler({ path, data, options }, { services, now }) {
      const name = writableName(path);
      if (!data) throw invalidRequest("no data provided");
      const key = await services.secrets.get(name);
      const mount = await settingsOf(services.settings);
      checkAndSet(options?.cas, key, mount);
      return addVersion(services, mount, name, key, data, now);
    },
  },
  patch: {
    summary: "Write a new version that differs from the current one as the patch says (RFC 7396)",
    input: { data: sensitive(object("What to change; null removes a key")).optional(), options },
    output: versionFields,
    async handler({ path, data, options }, { services, now }) {
      const name = writableName(path);
      if (!data) throw invalidRequest("no data provided");
      const key = await services.secrets.get(name);
      if (!key) return new Answered(404, undefined);
      const mount = await settingsOf(services.settings);
      checkAndSet(options?.cas, key, mount);
      const current = key.versions.at(-1);
      if (!current || isGone(current, now.getTime())) return new Answered(404, undefined);
      const before = await services.secrets.data(name, key, key.current_version);
      return addVersion(services, mount, name, key, mergePatch(before, data), now);
    },
  },
  delete: {
    summary: "Delete the current version of a secret; it can be undeleted",
    async handler({ path }, { services: { secrets }, now }) {
      const key = await secrets.get(path);
      const after = key && withDeleted(key, [key.current_version], now.getTime());
      if (after && after !== key) secrets.replace(path, key, after);
    },
  },
  examples: [
    { operation: "write", request: { data: { password: "hunter2" }, options: { cas: 0 } } },
    { operation: "patch", request: { data: { password: "hunter3", username: null } } },
  ],
});

function checkAndSet(given: number | null | undefined, key: Key | undefined, mount: MountSettings): void {
  if (given === undefined || given === null) {
    if (!mount.cas_required && !key?.cas_required) return;
    throw invalidRequest("check-and-set parameter required for this call");
  }
  if (given !== (key?.current_version ?? 0)) {
    throw invalidRequest("check-and-set parameter did not match the current version");
  }
}

function addVersion(
  { secrets }: VersionedServices,
  mount: MountSettings,
  path: string,
  before: Key | undefined,
  data: Readonly<JsonObject>,
  now: Date,
) {
  const after = withNewVersion(before ?? newKey(now.getTime()), mount, now.getTime());
  secrets.addVersion(path, before, after, data);
  return versionMetadata(after, after.current_version, after.versions.at(-1)!);
}
