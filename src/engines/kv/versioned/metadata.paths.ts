/** The settings and history of secrets, without their data. */
import { absent } from "../../../api/errors.ts";
import { duration, flag, integer, named, object, partial, text } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { Answered } from "../../../api/reply.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writableName } from "../secret-text.ts";
import { patchCustomMetadata } from "./custom-metadata.ts";
import { newKey, shownKey } from "./key.ts";
import { changesNothing, checkMetadataCas, type KeyChanges, warnings, withSettings } from "./key-settings.ts";
import { listMetadata, scanMetadata } from "./metadata-list.paths.ts";
import type { VersionedServices } from "./services.ts";
import { settingsOf } from "./settings.ts";
import { customMetadataField, secretParams, stateFields } from "./version-fields.ts";

const path = pathsFor<VersionedServices>();

const settings = {
  max_versions: integer("Versions to keep; 0 leaves it to the mount"),
  cas_required: flag("Whether every write must name the version that it replaces"),
  metadata_cas_required: flag("Whether every change of metadata must name the metadata version that it replaces"),
  delete_version_after: duration("How long after its writing a version is deleted; 0 leaves it to the mount"),
};

const check = {
  metadata_cas: integer("Change only if this is the current metadata version; 0 if there must be none yet"),
};

export const metadataPath = path({
  pattern: "metadata/:path*",
  summary: "Settings and history of secrets",
  params: secretParams,
  read: {
    summary: "Read the settings and versions of a secret",
    output: {
      current_version: integer("Number of the latest version; 0 if nothing was written yet"),
      oldest_version: integer("Number of the oldest version that is kept; 0 if none was dropped yet"),
      created_time: text("When the secret came to be (RFC 3339)"),
      updated_time: text("When data or settings last changed (RFC 3339)"),
      ...settings,
      delete_version_after: text("How long after its writing a version is deleted, as in 1h0m0s"),
      custom_metadata: customMetadataField.nullable(),
      versions: named("What became of each version, by number", stateFields),
      current_metadata_version: integer("How often the settings changed"),
    },
    async handler({ path }, { services: { secrets } }) {
      const key = await secrets.get(path);
      if (!key) throw absent();
      return shownKey(key);
    },
  },
  write: {
    summary: "Change settings of a secret; what is not given stays",
    input: partial({ ...settings, custom_metadata: customMetadataField, ...check }),
    exists: async ({ path }, { services: { secrets } }) => secrets.has(path),
    async handler({ path, metadata_cas, ...changes }, { services, now, warn }) {
      const name = writableName(path);
      if (changesNothing(changes)) return;
      const key = await services.secrets.get(name);
      const mount = await settingsOf(services.settings);
      checkMetadataCas(metadata_cas, key, mount);
      services.secrets.replace(name, key, withSettings(key, changes, now.getTime()));
      for (const warning of warnings(changes, mount)) warn(warning);
    },
  },
  patch: {
    summary: "Change settings of a secret that exists; null resets a setting or removes a note",
    input: partial({
      ...settings,
      custom_metadata: object("Notes to set, by name; null removes one"),
      ...check,
    }),
    async handler({ path, metadata_cas, custom_metadata, ...given }, { services, now, warn, body }) {
      const name = writableName(path);
      const key = await services.secrets.get(name);
      if (!key) return new Answered(404, undefined);
      const notes = custom_metadata && patchCustomMetadata(key.custom_metadata, custom_metadata);
      const changes = { ...given, custom_metadata: notes, ...resets(body) };
      if (changesNothing(changes)) return undefined;
      const mount = await settingsOf(services.settings);
      checkMetadataCas(metadata_cas, key, mount);
      services.secrets.replace(name, key, withSettings(key, changes, now.getTime()));
      for (const warning of warnings(changes, mount)) warn(warning);
      return undefined;
    },
  },
  delete: {
    summary: "Delete a secret with all of its versions, for good",
    async handler({ path }, { services: { secrets } }) {
      const key = await secrets.get(path);
      if (key) secrets.remove(path, key);
    },
  },
  list: listMetadata,
  scan: scanMetadata,
  examples: [
    { operation: "write", request: { max_versions: 5, custom_metadata: { owner: "payments" } } },
    { operation: "patch", request: { custom_metadata: { owner: null } } },
  ],
});

const settingNames = [
  "max_versions",
  "cas_required",
  "metadata_cas_required",
  "delete_version_after",
  "custom_metadata",
] as const;

/** In a merge patch a null is a wish of its own: back to what a new secret has. */
function resets(body: Readonly<JsonObject>): KeyChanges {
  const initial = newKey(0);
  return Object.fromEntries(settingNames.filter((name) => body[name] === null).map((name) => [name, initial[name]]));
}
