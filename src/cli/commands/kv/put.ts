/** `kv put`. */
import { clientCommand } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { CommandFailure, exitCodes } from "../../failure.ts";
import { integerFlag } from "../../flags.ts";
import { dataForms, readData } from "../../input.ts";
import { apiPath, locate, mountFlag } from "./location.ts";
import { printVersion } from "./print-secret.ts";

export const casFlag = {
  cas: integerFlag("Write only if the current version is this one; 0 if there must be none"),
};

export const kvPut = clientCommand({
  summary: "Write a secret; with versions, a new one",
  description: [dataForms],
  parameters: "PATH DATA...",
  examples: [
    { purpose: "Write a secret", line: "kv put -mount=secret app/database user=app password=@password.txt" },
    {
      purpose: "Write only if nobody wrote since version 3",
      line: "kv put -mount=secret -cas=3 app/database user=app",
    },
  ],
  flags: { ...outputFlags, ...mountFlag, ...casFlag },
  async run({ client, print, during, positionals, terminal, flags }) {
    const [typed, ...words] = positionals;
    const data = await readData(words, terminal);
    const location = await during(`writing data to ${typed}`, locate(client, typed!, flags.mount));
    const path = apiPath(location, "data");
    if (!location.isVersioned && flags.cas !== undefined) throw noVersions(location.mount);
    const options = flags.cas === undefined ? {} : { cas: flags.cas };
    const body = location.isVersioned ? { data, options } : data;
    const answer = await during(`writing data to ${path}`, client.put(path, body));
    if (answer.isEmpty) return print.done(`Success! Data written to: ${path}`);
    return location.isVersioned ? printVersion(print, answer, path) : print.secret(answer);
  },
});

const noVersions = (mount: string) =>
  new CommandFailure(`The engine at ${mount} keeps no versions to compare with: leave -cas out`, exitCodes.local);
