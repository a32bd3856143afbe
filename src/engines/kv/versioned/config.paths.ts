/** What holds for every secret of the mount unless the secret says otherwise. */
import { duration, flag, integer, partial, text } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { formatDuration } from "../../../lib/duration.ts";
import type { VersionedServices } from "./services.ts";
import { checkMaxVersions, settingsOf } from "./settings.ts";

const path = pathsFor<VersionedServices>();

const fields = {
  max_versions: integer("Versions to keep of each secret; 0 for ten"),
  cas_required: flag("Whether every write must name the version that it replaces"),
  delete_version_after: duration(
    "How long after its writing a version is deleted; 0 for never, negative for never whatever a secret's own setting",
  ),
  metadata_cas_required: flag("Whether every change of metadata must name the metadata version that it replaces"),
};

export const configPath = path({
  pattern: "config",
  summary: "Settings of the mount",
  read: {
    summary: "Read the settings of the mount",
    output: { ...fields, delete_version_after: text("How long after its writing a version is deleted, as in 1h0m0s") },
    async handler(_, { services }) {
      const { max_versions, cas_required, delete_version_after, metadata_cas_required } = await settingsOf(
        services.settings,
      );
      return {
        max_versions,
        cas_required,
        delete_version_after: formatDuration(delete_version_after),
        metadata_cas_required,
      };
    },
  },
  write: {
    summary: "Change settings of the mount; what is not given stays",
    input: partial(fields),
    async handler(given, { services: { settings } }) {
      const before = await settingsOf(settings);
      if (given.max_versions !== undefined) checkMaxVersions(given.max_versions);
      settings.put({
        max_versions: given.max_versions ?? before.max_versions,
        cas_required: given.cas_required ?? before.cas_required,
        delete_version_after: Math.max(given.delete_version_after ?? before.delete_version_after, -1),
        metadata_cas_required: given.metadata_cas_required ?? before.metadata_cas_required,
      });
    },
  },
  examples: [{ operation: "write", request: { max_versions: 5, delete_version_after: "3h25m19s" } }],
});
