/** `write`: writes data to a path. */
import { clientCommand } from "../client-command.ts";
import { outputFlags } from "../client-flags.ts";
import { UsageError } from "../failure.ts";
import { switchFlag } from "../flags.ts";
import { dataForms, readData } from "../input.ts";
import { cleanPath } from "../path.ts";

export const command = clientCommand({
  summary: "Write a secret or a setting",
  description: [dataForms],
  parameters: "PATH [DATA...]",
  examples: [
    { purpose: "Make a user", line: "write auth/userpass/users/ada password=@password.txt policies=reader" },
    { purpose: "Write what a file holds as JSON", line: "write pki/roles/web @role.json" },
    { purpose: "Act on a path that takes no data", line: "write -force transit/keys/web/rotate" },
  ],
  flags: {
    ...outputFlags,
    force: switchFlag("Allow the write to have no data"),
    f: switchFlag("Short for -force", { hidden: true }),
  },
  async run({ client, print, during, positionals, terminal, flags }) {
    const path = cleanPath(positionals[0]);
    const words = positionals.slice(1);
    if (words.length === 0 && !flags.force && !flags.f)
      throw new UsageError("there is no data to write: give some, or add -force");
    const data = words.length === 0 ? undefined : await readData(words, terminal);
    const answer = await during(`writing data to ${path}`, client.put(path, data));
    return answer.isEmpty ? print.done(`Success! Data written to: ${path}`) : print.secret(answer);
  },
});
