/** `kv list` and `kv scan`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { pageFlags, pageQuery, printKeys } from "../../listing.ts";
import { apiPath, locate, mountFlag } from "./location.ts";

const lister = (summary: string, verb: "list" | "scan") =>
  clientCommand({
    summary,
    parameters: "[PATH]",
    examples: [{ purpose: "From the top of an engine", line: `kv ${verb} -mount=secret` }],
    flags: { ...formatFlag, ...mountFlag, ...pageFlags },
    async run({ client, print, during, positionals, flags }) {
      const typed = positionals.length > 0 ? positionals[0]! : flags.mount;
      if (typed === undefined) throw new UsageError("say where: PATH, or -mount");
      const isMountAlone = positionals.length === 0;
      const location = await during(`listing ${typed}`, locate(client, typed, isMountAlone ? undefined : flags.mount));
      const path = apiPath(location, "metadata");
      const answer = await during(`listing ${path}`, client[verb](path, pageQuery(flags)));
      return printKeys(print, answer, path);
    },
  });

export const kvList = lister("List secrets", "list");
export const kvScan = lister("List secrets, however deep they are", "scan");
