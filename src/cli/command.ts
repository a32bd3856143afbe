/** What a command is: one declaration from which parsing, help and shell completion are read. */
import type { Flags, FlagValues } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export interface Invocation<Declared extends Flags = Flags> {
  readonly flags: FlagValues<Declared>;
  /** Flags that stood on the command line, as opposed to the environment and defaults. */
  readonly given: ReadonlySet<string>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  /** Every command there is, for those that tell about others. */
  loadProgram(): Promise<CommandGroup>;
}

export interface Command<Declared extends Flags = Flags> {
  /** One line, without a full stop. */
  readonly summary: string;
  /** Whole paragraphs, one string each. */
  readonly description?: readonly string[];
  /** What stands after the name: `PATH`, `[TOKEN]` may be left out, `[K=V...]` may be repeated or left out. */
  readonly parameters?: string;
  readonly examples?: readonly Example[];
  readonly flags: Declared;
  /** Resolves to the exit code. */
  run(invocation: Invocation<Declared>): Promise<number>;
}

export interface Example {
  readonly purpose: string;
  /** As typed after `strongroom `. */
  readonly line: string;
}

export interface CommandGroup {
  readonly summary: string;
  readonly commands: Readonly<Record<string, CommandNode>>;
}

export type CommandNode = Command | CommandGroup;

/** Gives `run` the types of the flags that are declared beside it. */
export const defineCommand = <Declared extends Flags>(command: Command<Declared>): Command =>
  command as unknown as Command;

export const isGroup = (node: CommandNode): node is CommandGroup => "commands" in node;
