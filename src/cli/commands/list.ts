/** `list`: lists the keys below a path. */
import { clientCommand } from "../client-command.ts";
import { formatFlag } from "../client-flags.ts";
import { pageFlags, pageQuery, printKeys } from "../listing.ts";
import { cleanPath } from "../path.ts";

export const command = clientCommand({
  summary: "List the keys below a path",
  description: ["A key that ends with a slash has others below it."],
  parameters: "PATH",
  examples: [{ purpose: "List users", line: "list auth/userpass/users" }],
  flags: { ...formatFlag, ...pageFlags },
  async run({ client, print, during, positionals, flags }) {
    const path = cleanPath(positionals[0]);
    const answer = await during(`listing ${path}`, client.list(path, pageQuery(flags)));
    return printKeys(print, answer, path);
  },
});
