/** `policy fmt`: puts the text of a policy in order. */
import { writeFile } from "node:fs/promises";
import { HclError } from "../../../lib/hcl/error.ts";
import { defineCommand } from "../../command.ts";
import { CommandFailure, exitCodes } from "../../failure.ts";
import { readFileOrInput } from "../../input.ts";
import { formatPolicy } from "./format.ts";

export const policyFmt = defineCommand({
  summary: "Format a policy file in place, or standard input to standard output",
  description: ["Comments stay. A policy that cannot be parsed is left alone, and the fault is named with its place."],
  parameters: "FILE",
  flags: {},
  async run({ positionals, terminal }) {
    const file = positionals[0]!;
    const before = await readFileOrInput(file, terminal);
    const after = formatted(before, file);
    if (file === "-") terminal.write(after);
    else if (after !== before) await writeFile(file, after);
    if (file !== "-") terminal.write(`Success! Formatted policy: ${file}\n`);
    return exitCodes.ok;
  },
});

function formatted(text: string, file: string): string {
  try {
    return formatPolicy(text);
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    throw new CommandFailure(`Error parsing ${file}: ${error.message}`, exitCodes.local);
  }
}
