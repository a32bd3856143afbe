/** `secrets enable` and `auth enable`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { integerFlag, textFlag } from "../../flags.ts";
import { cleanPath } from "../../path.ts";
import { bodyOf } from "../../request-body.ts";
import { newMountFlags, noCacheFlag, settingFlags } from "./mount-flags.ts";
import type { MountKind } from "./mount-kind.ts";

export function enableCommand(kind: MountKind) {
  const configFlags = { ...settingFlags(kind), ...noCacheFlag };
  return clientCommand({
    summary: `Enable ${kind.prefix === "" ? "a" : "an"} ${kind.what}`,
    parameters: "TYPE",
    examples: [{ purpose: "Enable one at a path of your choice", line: exampleLine(kind) }],
    flags: {
      ...formatFlag,
      ...configFlags,
      ...newMountFlags,
      path: textFlag("Where to mount it; by default under the name of its type"),
      version: integerFlag("Version of the engine, such as 2 for kv that keeps versions"),
    },
    async run({ client, print, during, positionals, flags, given }) {
      const type = cleanPath(positionals[0]);
      const path = cleanPath(flags.path ?? type);
      const options = [...flags.options, ...(flags.version === undefined ? [] : [["version", String(flags.version)]])];
      const body = {
        type,
        ...bodyOf(newMountFlags, flags, given),
        config: bodyOf(configFlags, flags as never, given),
        ...(options.length > 0 && { options: Object.fromEntries(options) }),
      };
      const answer = await during(`enabling the ${kind.what}`, client.post(`${kind.table}/${path}`, body));
      print.warn(answer.secret.warnings);
      return print.done(`Success! Enabled the ${type} ${kind.what} at: ${path}/`);
    },
  });
}

const exampleLine = ({ prefix, exampleType }: MountKind): string =>
  prefix === "" ? `secrets enable -path=team -version=2 ${exampleType}` : `auth enable -path=people ${exampleType}`;
