/** `path-help`: asks the server what a path does. */
import { clientCommand } from "../client-command.ts";
import { formatFlag } from "../client-flags.ts";
import { cleanPath } from "../path.ts";
import { printPathHelp } from "../path-help.ts";

export const command = clientCommand({
  summary: "Explain a path of the API: its operations and fields",
  parameters: "PATH",
  examples: [
    { purpose: "See what an engine offers", line: "path-help secret" },
    { purpose: "See what a path takes", line: "path-help sys/mounts/secret" },
  ],
  flags: formatFlag,
  run: (session) => printPathHelp(session, cleanPath(session.positionals[0])),
});
