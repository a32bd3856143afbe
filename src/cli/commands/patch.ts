/** `patch`: changes some of what is at a path. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { UsageError } from "../failure.ts";
import { switchFlag } from "../flags.ts";
import { dataForms, readData } from "../input.ts";
import { cleanPath, nothingAt } from "../path.ts";

export const command = clientCommand({
  summary: "Change some fields of a secret or a setting, and leave the others",
  description: [dataForms, "In JSON, null takes a field away."],
  parameters: "PATH [DATA...]",
  examples: [{ purpose: "Change one field of a role", line: "patch pki/roles/web ttl=72h" }],
  flags: { ...outputFlags, force: switchFlag("Allow the change to have no data") },
  async run({ client, print, during, positionals, terminal, flags }) {
    const path = cleanPath(positionals[0]);
    const words = positionals.slice(1);
    if (words.length === 0 && !flags.force)
      throw new UsageError("there is nothing to change: give data, or add -force");
    const work = client.orNothing(client.patch(path, await readData(words, terminal)));
    const answer = await during(`changing ${path}`, work);
    if (answer === undefined) throw nothingAt(path);
    return answer.isEmpty ? print.done(`Success! Data changed at: ${path}`) : print.secret(answer);
  },
});
