/** Help texts, rendered from declarations. */
import { connectionFlags, defaultAddress } from "./client-flags.ts";
import type { Command, CommandGroup, CommandNode } from "./command.ts";
import { flagHelp } from "./flag-help.ts";
import type { Flags } from "./flags.ts";

const width = 80;

export function commandHelp(words: readonly string[], command: Command): string {
  const { summary, description = [], parameters = "", examples = [], flags } = command;
  const hasFlags = Object.values(flags).some((flag) => !flag.hidden);
  const usage = ["strongroom", ...words, hasFlags ? "[flags]" : "", parameters].filter((word) => word !== "");
  const sections = [`Usage: ${usage.join(" ")}`, indent(`${summary}.`), ...description.map(indent)];
  for (const { purpose, line } of examples) sections.push(`${indent(`${purpose}:`)}\n\n      $ strongroom ${line}`);
  sections.push(
    ...flagSection("Flags", ownFlags(flags)),
    ...flagSection("Flags for the connection", sharedFlags(flags)),
  );
  return `${sections.join("\n\n")}\n`;
}

const isShared = ([name, flag]: [string, unknown]): boolean => (connectionFlags as Flags)[name] === flag;
const sharedFlags = (flags: Flags): Flags => Object.fromEntries(Object.entries(flags).filter(isShared));
const ownFlags = (flags: Flags): Flags => Object.fromEntries(Object.entries(flags).filter((flag) => !isShared(flag)));

function flagSection(title: string, flags: Flags): string[] {
  const text = flagHelp(flags).trimEnd();
  return text === "" ? [] : [`${title}:\n\n${text}`];
}

export function groupHelp(words: readonly string[], { summary, commands }: CommandGroup): string {
  const rows = commandRows(commands);
  const usage = ["strongroom", ...words, "<subcommand>"].join(" ");
  const pointer = indent(`For the flags of one: ${usage} -help`);
  return `Usage: ${usage} [flags] [arguments]\n\n${indent(`${summary}.`)}\n\nSubcommands:\n\n${rows}\n\n${pointer}\n`;
}

/** Commands that people use every day stand apart from those that operators use. */
export function rootHelp(commands: Readonly<Record<string, CommandNode>>, common: readonly string[]): string {
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(commands).filter(([name]) => common.includes(name) === wanted));
  return [
    "Usage: strongroom <command> [flags] [arguments]",
    `Common commands:\n\n${commandRows(pick(true))}`,
    `Other commands:\n\n${commandRows(pick(false))}`,
    indent(`The server is asked at ${defaultAddress} unless STRONGROOM_ADDR or -address says otherwise.`),
    indent("For the flags of one: strongroom <command> -help"),
  ]
    .join("\n\n")
    .concat("\n");
}

function commandRows(commands: Readonly<Record<string, CommandNode>>): string {
  const names = Object.keys(commands).sort();
  const longest = Math.max(...names.map((name) => name.length));
  return names.map((name) => `    ${name.padEnd(longest)}    ${commands[name]!.summary}`).join("\n");
}

function indent(paragraph: string): string {
  const lines: string[] = [];
  let line = " ";
  for (const word of paragraph.split(" ")) {
    if (line.length + 1 + word.length > width && line.trim() !== "") {
      lines.push(line);
      line = " ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}
