/** `policy …`: lists, reads, writes, deletes, explains and formats policies. */
import { clientCommand } from "../client-command.ts";
import { formatFlag, outputFlags } from "../client-flags.ts";
import type { CommandGroup } from "../command.ts";
import { CommandFailure, exitCodes } from "../failure.ts";
import { readFileOrInput } from "../input.ts";
import { cellText } from "../output/cell.ts";
import { cleanPath } from "../path.ts";
import { policyExplain } from "./policy/explain.ts";
import { policyFmt } from "./policy/fmt.ts";

const nameOf = (typed: string | undefined): string => cleanPath(typed).toLowerCase();

const list = clientCommand({
  summary: "List policies",
  flags: formatFlag,
  async run({ client, print, during }) {
    const answer = await during("listing policies", client.list("sys/policies/acl"));
    const keys = answer?.data["keys"];
    const names = Array.isArray(keys) ? keys.map(cellText) : [];
    return print.text(names.join("\n"), names);
  },
});

const read = clientCommand({
  summary: "Print the text of a policy",
  parameters: "NAME",
  flags: outputFlags,
  async run({ client, print, during, positionals, flags }) {
    const name = nameOf(positionals[0]);
    const answer = await during(`reading the policy ${name}`, client.find(`sys/policies/acl/${name}`));
    if (answer === undefined) throw new CommandFailure(`No policy named: ${name}`, exitCodes.refused);
    if (flags.field !== undefined) return print.secret(answer);
    print.warn(answer.secret.warnings);
    return print.text(cellText(answer.data["policy"] ?? ""), { policy: answer.data["policy"] ?? "" });
  },
});

const write = clientCommand({
  summary: "Write a policy from a file, or from standard input",
  parameters: "NAME FILE",
  examples: [
    { purpose: "Write a policy from a file", line: "policy write reader reader.hcl" },
    { purpose: "Write a policy from standard input", line: "policy write reader -" },
  ],
  flags: formatFlag,
  async run({ client, print, during, positionals, terminal }) {
    const name = nameOf(positionals[0]);
    const policy = await readFileOrInput(positionals[1]!, terminal);
    const answer = await during(`writing the policy ${name}`, client.put(`sys/policies/acl/${name}`, { policy }));
    print.warn(answer.secret.warnings);
    return print.done(`Success! Uploaded policy: ${name}`);
  },
});

const remove = clientCommand({
  summary: "Delete a policy; tokens lose what it allowed at once",
  parameters: "NAME",
  flags: formatFlag,
  async run({ client, print, during, positionals }) {
    const name = nameOf(positionals[0]);
    await during(`deleting the policy ${name}`, client.delete(`sys/policies/acl/${name}`));
    return print.done(`Success! Deleted policy: ${name}`);
  },
});

export const command: CommandGroup = {
  summary: "Manage policies: what tokens may do",
  commands: { list, read, write, delete: remove, explain: policyExplain, fmt: policyFmt },
};
