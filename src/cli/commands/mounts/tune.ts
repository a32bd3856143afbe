/** `secrets tune` and `auth tune`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { integerFlag } from "../../flags.ts";
import { cleanPath } from "../../path.ts";
import { bodyOf } from "../../request-body.ts";
import { mountFlags, settingFlags } from "./mount-flags.ts";
import type { MountKind } from "./mount-kind.ts";

export function tuneCommand(kind: MountKind) {
  const bodyFlags = { ...settingFlags(kind), ...mountFlags };
  return clientCommand({
    summary: `Change settings of the ${kind.what} at a path`,
    parameters: "PATH",
    examples: [{ purpose: "Let nothing live longer than a month", line: exampleLine(kind) }],
    flags: { ...formatFlag, ...bodyFlags, version: integerFlag("Version that the engine shall have") },
    async run({ client, print, during, positionals, flags, given }) {
      const path = cleanPath(positionals[0]);
      const version = flags.version === undefined ? {} : { version: String(flags.version) };
      const options = { ...Object.fromEntries(flags.options), ...version };
      const body = {
        ...bodyOf(bodyFlags, flags as never, given),
        ...(Object.keys(options).length > 0 && { options }),
      };
      const work = client.post(`sys/mounts/${kind.prefix}${path}/tune`, body);
      const answer = await during(`tuning the ${kind.what} at ${path}/`, work);
      print.warn(answer.secret.warnings);
      return print.done(`Success! Tuned the ${kind.what} at: ${path}/`);
    },
  });
}

const exampleLine = ({ prefix, exampleType }: MountKind): string =>
  `${prefix === "" ? "secrets" : "auth"} tune -max-lease-ttl=720h ${exampleType}`;
