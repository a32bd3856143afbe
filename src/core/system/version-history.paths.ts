/** Declares `sys/version-history`: which versions have worked on this store. */
import { named, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { versionsIn } from "../version/version-history.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const versionFields = {
  timestamp_installed: text("When it was first unsealed on this store"),
  previous_version: text("The version before it").nullable(),
  commit_date: text("When it was made").nullable(),
  build_date: text("When it was made").nullable(),
};

const versionHistory = path({
  pattern: "version-history",
  summary: "Versions that have worked on this store",
  list: {
    summary: "List versions",
    input: pageFields,
    output: { ...keysField, key_info: named("Versions by name", versionFields) },
    async handler(page, { services }) {
      const versions = versionsIn(services.storage);
      const keys = await versions.list(pageOf(page));
      const records = await Promise.all(keys.map((name) => versions.get(name)));
      const info = keys.flatMap((name, index) => {
        const record = records[index];
        return record ? [[name, { ...record, build_date: record.commit_date }] as const] : [];
      });
      return { keys, key_info: Object.fromEntries(info) };
    },
  },
});

export const versionHistoryPaths = [versionHistory];
