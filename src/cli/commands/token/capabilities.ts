/** `token capabilities`. */
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { UsageError } from "../../failure.ts";
import { switchFlag } from "../../flags.ts";
import { readSecretArgument } from "../../input.ts";
import { cleanPath } from "../../path.ts";

export const tokenCapabilities = clientCommand({
  summary: "Print what a token may do on a path",
  description: ["Without a TOKEN, the current one is meant. A TOKEN of - is read from standard input."],
  parameters: "[TOKEN] PATH",
  flags: { ...formatFlag, accessor: switchFlag("The first argument is an accessor") },
  async run({ client, print, during, flags, positionals, terminal }) {
    const path = cleanPath(positionals.at(-1));
    const token = positionals.length > 1 ? await readSecretArgument(positionals[0], terminal) : undefined;
    if (flags.accessor && token === undefined) throw new UsageError("-accessor needs an accessor and a path");
    const work =
      token === undefined
        ? client.post("sys/capabilities-self", { path })
        : flags.accessor
          ? client.post("sys/capabilities-accessor", { accessor: token, path })
          : client.post("sys/capabilities", { token, path });
    const { data } = await during("asking for capabilities", work);
    const found = data["capabilities"] ?? data[path];
    const capabilities = Array.isArray(found) ? found.map(String).sort() : [];
    return print.text(capabilities.join(", "), capabilities);
  },
});
