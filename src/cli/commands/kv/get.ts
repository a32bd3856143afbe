/** `kv get`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { integerFlag } from "../../flags.ts";
import { nothingAt } from "../../path.ts";
import { apiPath, locate, mountFlag, requireVersions } from "./location.ts";
import { printUnversioned, printVersioned } from "./print-secret.ts";

export const kvGet = clientCommand({
  summary: "Read a secret",
  parameters: "PATH",
  examples: [
    { purpose: "Read a secret", line: "kv get -mount=secret app/database" },
    { purpose: "Read one field, for a script", line: "kv get -mount=secret -field=password app/database" },
    { purpose: "Read an older version", line: "kv get -mount=secret -version=1 app/database" },
  ],
  flags: { ...outputFlags, ...mountFlag, version: integerFlag("Version to read; the current one by default") },
  async run({ client, print, during, positionals, flags }) {
    const typed = positionals[0]!;
    const location = await during(`reading ${typed}`, locate(client, typed, flags.mount));
    const path = apiPath(location, "data");
    if (flags.version !== undefined) requireVersions(location);
    const query = flags.version === undefined ? {} : { version: String(flags.version) };
    const answer = await during(`reading ${path}`, client.find(path, { query }));
    if (answer === undefined || answer.isEmpty) throw nothingAt(path);
    return location.isVersioned ? printVersioned(print, answer, path) : printUnversioned(print, answer);
  },
});
