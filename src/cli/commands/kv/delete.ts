/** `kv delete`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { apiPath, locate, mountFlag, requireVersions } from "./location.ts";
import { versionList, versionsFlag } from "./versions.ts";

export const kvDelete = clientCommand({
  summary: "Delete a secret, or some of its versions until they are undeleted",
  parameters: "PATH",
  flags: { ...formatFlag, ...mountFlag, ...versionsFlag },
  async run({ client, print, during, positionals, flags }) {
    const typed = positionals[0]!;
    const location = await during(`deleting ${typed}`, locate(client, typed, flags.mount));
    const versions = versionList(flags.versions);
    if (versions.length > 0) requireVersions(location);
    const path = apiPath(location, "data");
    const work = versions.length > 0 ? client.put(apiPath(location, "delete"), { versions }) : client.delete(path);
    await during(`deleting ${path}`, work);
    return print.done(`Success! Data deleted (if it existed) at: ${path}`);
  },
});
