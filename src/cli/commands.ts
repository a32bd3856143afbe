/** Every command by name. Each is loaded when it is asked for, so that none pays for the others at start-up. */
import type { CommandGroup, CommandNode } from "./command.ts";

export const commandLoaders: Readonly<Record<string, () => Promise<{ readonly command: CommandNode }>>> = {
  audit: () => import("./commands/audit.ts"),
  auth: () => import("./commands/auth.ts"),
  cel: () => import("./commands/cel.ts"),
  completion: () => import("./commands/completion.ts"),
  delete: () => import("./commands/delete.ts"),
  identity: () => import("./commands/identity.ts"),
  kv: () => import("./commands/kv.ts"),
  lease: () => import("./commands/lease.ts"),
  list: () => import("./commands/list.ts"),
  login: () => import("./commands/login.ts"),
  namespace: () => import("./commands/namespace.ts"),
  operator: () => import("./commands/operator.ts"),
  patch: () => import("./commands/patch.ts"),
  "path-help": () => import("./commands/path-help.ts"),
  pki: () => import("./commands/pki.ts"),
  policy: () => import("./commands/policy.ts"),
  print: () => import("./commands/print.ts"),
  read: () => import("./commands/read.ts"),
  scan: () => import("./commands/scan.ts"),
  secrets: () => import("./commands/secrets.ts"),
  server: () => import("./commands/server.ts"),
  status: () => import("./commands/status.ts"),
  token: () => import("./commands/token.ts"),
  unwrap: () => import("./commands/unwrap.ts"),
  version: () => import("./commands/version.ts"),
  write: () => import("./commands/write.ts"),
};

/** What people use every day. */
export const commonCommands = ["read", "write", "delete", "list", "login", "server", "status", "kv", "unwrap"];

export async function loadProgram(): Promise<CommandGroup> {
  const loaded = Object.entries(commandLoaders).map(
    async ([name, load]) => [name, (await load()).command] satisfies [string, CommandNode],
  );
  return { summary: "Strongroom", commands: Object.fromEntries(await Promise.all(loaded)) };
}
