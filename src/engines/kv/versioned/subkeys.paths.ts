/** Which keys a secret has, for those who may know that but not the values. */
import { invalidRequest } from "../../../api/errors.ts";
import { group, integer, object } from "../../../api/fields.ts";
import { pathsFor } from "../../../api/path.ts";
import { Answered } from "../../../api/reply.ts";
import type { VersionedServices } from "./services.ts";
import { showVersion } from "./shown-version.ts";
import { structureOf } from "./subkeys.ts";
import { secretParams, versionFields, versionToRead } from "./version-fields.ts";

const path = pathsFor<VersionedServices>();

export const subkeysPath = path({
  pattern: "subkeys/:path*",
  summary: "The structure of secrets without their values",
  params: secretParams,
  read: {
    summary: "Read the keys of a secret, with null in place of every value",
    input: {
      ...versionToRead,
      depth: integer("How many levels of nesting to show; 0 for all").default(0),
    },
    output: {
      subkeys: object("The keys, nested as in the secret").nullable(),
      metadata: group("The version that this is", versionFields),
    },
    async handler({ path, version, depth }, { services: { secrets }, now }) {
      if (depth < 0) throw invalidRequest("depth must be 0, for all levels, or the number of levels to show");
      const { metadata, data } = await showVersion(secrets, path, version, now);
      return data ? { subkeys: structureOf(data, depth), metadata } : new Answered(404, { subkeys: null, metadata });
    },
  },
});
