/** `kv patch`. */
import type { Answer, Client } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { choiceFlag, repeatedFlag } from "../../flags.ts";
import { dataForms, readData } from "../../input.ts";
import { nothingAt } from "../../path.ts";
import { apiPath, locate, mountFlag, requireVersions } from "./location.ts";
import { printVersion } from "./print-secret.ts";
import { casFlag } from "./put.ts";

export const kvPatch = clientCommand({
  summary: "Change some keys of a secret, and leave the others",
  description: [dataForms],
  parameters: "PATH [DATA...]",
  flags: {
    ...outputFlags,
    ...mountFlag,
    ...casFlag,
    method: choiceFlag(["patch", "rw"], "Change it at the server, or read it and write it again", { default: "patch" }),
    "remove-data": repeatedFlag("Key to take away; may be given several times"),
  },
  async run({ client, print, during, positionals, terminal, flags }) {
    const [typed, ...words] = positionals;
    const removed = Object.fromEntries(flags["remove-data"].map((key) => [key, null]));
    const changes = { ...(await readData(words, terminal)), ...removed };
    if (Object.keys(changes).length === 0)
      throw new UsageError("there is nothing to change: give data or -remove-data");
    const location = await during(`changing ${typed}`, locate(client, typed!, flags.mount));
    requireVersions(location);
    const path = apiPath(location, "data");
    const work =
      flags.method === "rw" ? rewrite(client, path, changes, flags.cas) : change(client, path, changes, flags.cas);
    const answer = await during(`changing ${path}`, work);
    if (answer === undefined) throw nothingAt(path);
    return printVersion(print, answer, path);
  },
});

function change(client: Client, path: string, data: JsonObject, cas?: number): Promise<Answer | undefined> {
  return client.orNothing(client.patch(path, { data, options: cas === undefined ? {} : { cas } }));
}

/** For tokens that may read and write but not patch. Whoever wrote in between is not overwritten. */
async function rewrite(client: Client, path: string, changes: JsonObject, cas?: number): Promise<Answer | undefined> {
  const before = await client.find(path, { isProbe: true });
  const { data, metadata } = before?.data ?? {};
  if (!isJsonObject(data)) return undefined;
  const version = isJsonObject(metadata) ? metadata["version"] : undefined;
  const kept = Object.entries({ ...data, ...changes }).filter(([key]) => changes[key] !== null);
  return client.put(path, { data: Object.fromEntries(kept), options: { cas: cas ?? version } });
}
