/** What may follow which words on the command line, read from the declarations of all commands. */
import { type Command, type CommandGroup, type CommandNode, isGroup } from "../command.ts";

export interface Suggestion {
  /** A subcommand, or a flag with its dash; a flag that takes a value ends with `=`. */
  readonly word: string;
  readonly description: string;
}

export interface Place {
  /** The words that lead here, without the program's own name. */
  readonly words: readonly string[];
  readonly isGroup: boolean;
  readonly suggestions: readonly Suggestion[];
}

export function* placesOf(node: CommandNode, words: readonly string[] = []): Generator<Place> {
  if (!isGroup(node)) {
    yield { words, isGroup: false, suggestions: flagsOf(node) };
    return;
  }
  yield { words, isGroup: true, suggestions: subcommandsOf(node) };
  for (const [name, below] of sorted(node.commands)) yield* placesOf(below, [...words, name]);
}

const subcommandsOf = ({ commands }: CommandGroup): Suggestion[] =>
  sorted(commands).map(([word, { summary }]) => ({ word, description: summary }));

const flagsOf = ({ flags }: Command): Suggestion[] =>
  sorted(flags)
    .filter(([, flag]) => !flag.hidden)
    .map(([name, flag]) => ({
      word: flag.placeholder === undefined ? `-${name}` : `-${name}=`,
      description: flag.description,
    }));

const sorted = <Value>(record: Readonly<Record<string, Value>>): [string, Value][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
