/** `delete`: deletes what is at a path. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { readQuery } from "../input.ts";
import { cleanPath } from "../path.ts";

export const command = clientCommand({
  summary: "Delete a secret or a setting",
  description: ["Arguments after the path become parameters of the request."],
  parameters: "PATH [K=V...]",
  examples: [{ purpose: "Delete a user", line: "delete auth/userpass/users/ada" }],
  flags: outputFlags,
  async run({ client, print, during, positionals, terminal }) {
    const path = cleanPath(positionals[0]);
    const query = await readQuery(positionals.slice(1), terminal);
    const answer = await during(`deleting ${path}`, client.delete(path, { query }));
    return answer.isEmpty ? print.done(`Success! Data deleted (if it existed) at: ${path}`) : print.secret(answer);
  },
});
