/** `audit …`: lists, enables and disables audit devices. */
import { isJsonObject } from "../../lib/json.ts";
import { clientCommand } from "../client-command.ts";
import { formatFlag } from "../client-flags.ts";
import type { CommandGroup } from "../command.ts";
import { switchFlag, textFlag } from "../flags.ts";
import { readData } from "../input.ts";
import { cellText, sortedKeys } from "../output/cell.ts";
import { cleanPath, mountName } from "../path.ts";

const list = clientCommand({
  summary: "List audit devices",
  flags: { ...formatFlag, detailed: switchFlag("Print options too") },
  async run({ client, print, during, flags: { detailed } }) {
    const { data } = await during("listing audit devices", client.get("sys/audit"));
    const names = sortedKeys(data);
    if (names.length === 0) return print.text("No audit devices are enabled.", data);
    const rows = names.map((name) => {
      const device = data[name];
      const { type, description, options } = isJsonObject(device) ? device : {};
      const row = [name, cellText(type), cellText(description ?? "")];
      return detailed ? [...row, cellText(options ?? "")] : row;
    });
    return print.table(["Path", "Type", "Description", ...(detailed ? ["Options"] : [])], rows, data);
  },
});

const enable = clientCommand({
  summary: "Enable an audit device",
  parameters: "TYPE [K=V...]",
  examples: [{ purpose: "Write to a file", line: "audit enable file file_path=/var/log/strongroom.log" }],
  flags: {
    ...formatFlag,
    path: textFlag("Name of the device; by default its type"),
    description: textFlag("Text for people"),
    local: switchFlag("Not replicated"),
  },
  async run({ client, print, during, positionals, terminal, flags }) {
    const type = cleanPath(positionals[0]);
    const path = mountName(flags.path ?? type);
    const options = await readData(positionals.slice(1), terminal);
    const { description, local } = flags;
    const body = { type, options, local, ...(description !== undefined && { description }) };
    await during(`enabling the audit device ${path}`, client.put(`sys/audit/${cleanPath(path)}`, body));
    return print.done(`Success! Enabled the ${type} audit device at: ${path}`);
  },
});

const disable = clientCommand({
  summary: "Disable an audit device",
  parameters: "PATH",
  flags: formatFlag,
  async run({ client, print, during, positionals }) {
    const path = mountName(positionals[0]);
    await during(`disabling the audit device ${path}`, client.delete(`sys/audit/${cleanPath(path)}`));
    return print.done(`Success! Disabled the audit device (if it was enabled) at: ${path}`);
  },
});

export const command: CommandGroup = { summary: "Manage audit devices", commands: { list, enable, disable } };
