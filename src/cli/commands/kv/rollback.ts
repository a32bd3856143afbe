/** `kv rollback`: writes the data of an older version as a new one. */
import { isJsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { CommandFailure, exitCodes, UsageError } from "../../failure.ts";
import { integerFlag } from "../../flags.ts";
import { nothingAt } from "../../path.ts";
import { apiPath, locate, mountFlag, requireVersions } from "./location.ts";
import { printVersion } from "./print-secret.ts";

export const kvRollback = clientCommand({
  summary: "Write the data of an older version as a new one",
  parameters: "PATH",
  flags: { ...outputFlags, ...mountFlag, version: integerFlag("Version whose data to write") },
  async run({ client, print, during, positionals, flags }) {
    if (flags.version === undefined) throw new UsageError("say which version: -version=1");
    const typed = positionals[0]!;
    const location = await during(`reading ${typed}`, locate(client, typed, flags.mount));
    requireVersions(location);
    const path = apiPath(location, "data");
    // Two questions: the current version, so that nobody's write is lost, and the data of the older one.
    const current = await during(`reading ${path}`, client.find(path, { isProbe: true }));
    const metadata = current?.data["metadata"];
    if (!isJsonObject(metadata)) throw nothingAt(path);
    const query = { version: String(flags.version) };
    const older = await during(`reading ${path}`, client.find(path, { query, isProbe: true }));
    const data = older?.data["data"];
    if (!isJsonObject(data)) {
      throw new CommandFailure(`Version ${flags.version} of ${path} has no data to write`, exitCodes.refused);
    }
    const options = { cas: metadata["version"] };
    return printVersion(print, await during(`writing data to ${path}`, client.put(path, { data, options })), path);
  },
});
