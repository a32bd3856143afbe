/** Versions of a secret, by number: deleted, brought back, or destroyed for good. */
import { invalidRequest } from "../../../api/errors.ts";
import { integers } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { writableName } from "../secret-text.ts";
import { type Key, withDeleted, withDestroyed, withUndeleted } from "./key.ts";
import type { VersionedServices } from "./services.ts";
import { settingsOf } from "./settings.ts";
import { secretParams } from "./version-fields.ts";

const path = pathsFor<VersionedServices>();

const input = { versions: integers("Numbers of the versions").default([]) };
const examples = [{ operation: "write", request: { versions: [1, 2] } }] as const;

export const versionPaths = [
  path({
    pattern: "delete/:path*",
    summary: "Delete versions of a secret so that they can be undeleted",
    params: secretParams,
    write: {
      summary: "Delete versions of a secret",
      input,
      handler: async ({ path, versions }, { services, now }) =>
        change(services, path, versions, (key) => withDeleted(key, versions, now.getTime())),
    },
    examples,
  }),
  path({
    pattern: "undelete/:path*",
    summary: "Bring back deleted versions of a secret",
    params: secretParams,
    write: {
      summary: "Undelete versions of a secret",
      input,
      async handler({ path, versions }, { services, now }) {
        const mount = await settingsOf(services.settings);
        return change(services, path, versions, (key) => withUndeleted(key, versions, mount, now.getTime()));
      },
    },
    examples,
  }),
  path({
    pattern: "destroy/:path*",
    summary: "Remove the data of versions for good",
    params: secretParams,
    write: {
      summary: "Destroy versions of a secret",
      input,
      handler: async ({ path, versions }, { services }) =>
        change(services, path, versions, (key) => withDestroyed(key, versions)),
    },
    examples,
  }),
];

async function change(
  { secrets }: VersionedServices,
  path: string,
  versions: readonly number[],
  step: (key: Key) => Key,
): Promise<void> {
  const name = writableName(path);
  if (versions.length === 0) throw invalidRequest("No version number provided");
  const key = await secrets.get(name);
  const after = key && step(key);
  if (after && after !== key) secrets.replace(name, key, after);
}
