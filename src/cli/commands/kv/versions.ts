/** `kv undelete` and `kv destroy`: what becomes of versions that are named. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { repeatedFlag } from "../../flags.ts";
import { apiPath, locate, mountFlag, requireVersions } from "./location.ts";

export const versionsFlag = {
  versions: repeatedFlag("Versions, with commas between them; may be given several times"),
};

export const versionList = (written: readonly string[]): string[] =>
  written
    .flatMap((text) => text.split(","))
    .map((version) => version.trim())
    .filter((version) => version !== "");

const onVersions = (summary: string, verb: string, word: "undelete" | "destroy") =>
  clientCommand({
    summary,
    parameters: "PATH",
    examples: [{ purpose: "Name two versions", line: `kv ${word} -mount=secret -versions=1,2 app/database` }],
    flags: { ...formatFlag, ...mountFlag, ...versionsFlag },
    async run({ client, print, during, positionals, flags }) {
      const versions = versionList(flags.versions);
      if (versions.length === 0) throw new UsageError("say which versions: -versions=1,2");
      const typed = positionals[0]!;
      const location = await during(`${verb} ${typed}`, locate(client, typed, flags.mount));
      requireVersions(location);
      const path = apiPath(location, word);
      const answer = await during(`${verb} ${path}`, client.put(path, { versions }));
      return answer.isEmpty ? print.done(`Success! Data written to: ${path}`) : print.secret(answer);
    },
  });

export const kvUndelete = onVersions("Bring deleted versions back", "undeleting", "undelete");
export const kvDestroy = onVersions("Remove the data of versions for good", "destroying", "destroy");
