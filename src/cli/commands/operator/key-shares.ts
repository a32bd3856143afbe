/** Key shares in and out of commands. */
import { CommandFailure, exitCodes } from "../../failure.ts";
import { readSecretArgument } from "../../input.ts";
import type { Terminal } from "../../terminal.ts";

export const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export const numbered = (title: string, keys: readonly string[]): string[] =>
  keys.map((key, index) => `${title} ${index + 1}: ${key}`);

/** The argument, or standard input for `-`, or what is typed when asked. */
export async function readKeyShare(argument: string | undefined, terminal: Terminal, what: string): Promise<string> {
  const given = await readSecretArgument(argument, terminal);
  const key = (given ?? (await terminal.askSecret(`${what} (will be hidden): `))).trim();
  if (key === "") throw new CommandFailure("Error: no key was given", exitCodes.local);
  return key;
}
