/** `read`: reads a path. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { readQuery } from "../input.ts";
import { cleanPath, nothingAt } from "../path.ts";

export const command = clientCommand({
  summary: "Read a secret or a setting",
  description: ["Arguments after the path become parameters of the request."],
  parameters: "PATH [K=V...]",
  examples: [
    { purpose: "Read who you are", line: "read auth/token/lookup-self" },
    { purpose: "Read one field, for a script", line: "read -field=ttl auth/token/lookup-self" },
    { purpose: "Read an answer that is not JSON", line: "read -format=raw pki/ca/pem" },
  ],
  flags: outputFlags,
  async run({ client, print, during, positionals, terminal }) {
    const path = cleanPath(positionals[0]);
    const query = await readQuery(positionals.slice(1), terminal);
    const answer = await during(`reading ${path}`, client.find(path, { query }));
    if (answer === undefined || answer.isEmpty) throw nothingAt(path);
    return print.secret(answer);
  },
});
