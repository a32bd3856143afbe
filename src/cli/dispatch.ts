/** Finds the command that was typed, reads its flags, runs it, and turns what goes wrong into a message and a code. */
import { nearestName } from "../lib/nearest.ts";
import { type Command, type CommandNode, isGroup } from "./command.ts";
import { commandLoaders, commonCommands, loadProgram } from "./commands.ts";
import { CommandFailure, exitCodes, UsageError } from "./failure.ts";
import { FlagError, parseFlags } from "./flags.ts";
import { commandHelp, groupHelp, rootHelp } from "./help.ts";
import { requireArguments } from "./parameters.ts";
import type { Terminal } from "./terminal.ts";

const versionWords = new Set(["-v", "-version", "--version"]);
const helpWords = new Set(["-h", "-help", "--help", "help"]);

/** Resolves to the exit code. */
export async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined || helpWords.has(first)) {
    terminal.write(rootHelp((await loadProgram()).commands, commonCommands));
    return first === undefined ? exitCodes.local : exitCodes.ok;
  }
  const name = versionWords.has(first) ? "version" : first;
  if (!Object.hasOwn(commandLoaders, name)) return unknownCommand([], name, Object.keys(commandLoaders), terminal);
  const { command } = await commandLoaders[name]!();
  return walk([name], command, rest, terminal);
}

/** Goes down from group to group until a command is reached. */
async function walk(path: readonly string[], node: CommandNode, words: readonly string[], terminal: Terminal) {
  if (!isGroup(node)) return runCommand(path, node, words, terminal);
  const [next, ...rest] = words;
  if (next === undefined || (helpWords.has(next) && !Object.hasOwn(node.commands, next))) {
    terminal.write(groupHelp(path, node));
    return next === undefined ? exitCodes.local : exitCodes.ok;
  }
  if (!Object.hasOwn(node.commands, next)) return unknownCommand(path, next, Object.keys(node.commands), terminal);
  return walk([...path, next], node.commands[next]!, rest, terminal);
}

async function runCommand(path: readonly string[], command: Command, words: readonly string[], terminal: Terminal) {
  try {
    const { values, given, positionals, help } = parseFlags(command.flags, words, terminal.environment);
    if (help) {
      terminal.write(commandHelp(path, command));
      return exitCodes.ok;
    }
    requireArguments(command.parameters ?? "", positionals);
    return await command.run({ flags: values, given, positionals, terminal, loadProgram });
  } catch (error) {
    return explainFailure(path, error as Error, terminal);
  }
}

function explainFailure(path: readonly string[], error: Error, terminal: Terminal): number {
  if (error instanceof CommandFailure) {
    terminal.complain(error.message);
    return error.exitCode;
  }
  const isUsage = error instanceof UsageError || error instanceof FlagError;
  const pointer = isUsage ? `\n\nFor help: strongroom ${path.join(" ")} -help` : "";
  terminal.complain(`Error: ${error.message}${pointer}`);
  return exitCodes.local;
}

function unknownCommand(path: readonly string[], typed: string, known: readonly string[], terminal: Terminal): number {
  const nearest = nearestName(typed, known);
  const words = ["strongroom", ...path].join(" ");
  const guess = nearest === undefined ? "" : ` Did you mean "${words} ${nearest}"?`;
  const what = typed.startsWith("-")
    ? `Flags follow the command: ${words} <command> ${typed}`
    : `There is no command "${words} ${typed}".${guess}`;
  terminal.complain(`${what}\n\nFor help: ${words} -help`);
  return exitCodes.local;
}
