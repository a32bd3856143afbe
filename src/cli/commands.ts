/** Every command by name. Each is loaded when it is asked for, so that none pays for the others at start-up. */
import type { CommandGroup, CommandNode } from "./command.ts";

export const commandLoaders: Readonly<Record<string, () => Promise<{ readonly command: CommandNode }>>> = {
  server: () => import("./commands/server.ts"),
  version: () => import("./commands/version.ts"),
};

/** What people use every day. */
export const commonCommands = ["read", "write", "delete", "list", "login", "server", "status", "kv", "unwrap"];

export async function loadAllCommands(): Promise<CommandGroup> {
  const loaded = Object.entries(commandLoaders).map(
    async ([name, load]) => [name, (await load()).command] satisfies [string, CommandNode],
  );
  return { summary: "Strongroom", commands: Object.fromEntries(await Promise.all(loaded)) };
}
