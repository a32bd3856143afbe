/** `scan`: lists every key below a path, at any depth. */
import { clientCommand } from "../client-command.ts";
import { formatFlag } from "../client-flags.ts";
import { pageFlags, pageQuery, printKeys } from "../listing.ts";
import { cleanPath } from "../path.ts";

export const command = clientCommand({
  summary: "List all keys below a path, however deep they are",
  parameters: "PATH",
  examples: [{ purpose: "List every secret of an engine", line: "scan secret/metadata" }],
  flags: { ...formatFlag, ...pageFlags },
  async run({ client, print, during, positionals, flags }) {
    const path = cleanPath(positionals[0]);
    const answer = await during(`scanning ${path}`, client.scan(path, pageQuery(flags)));
    return printKeys(print, answer, path);
  },
});
