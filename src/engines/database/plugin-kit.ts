/** What plugins of others are given to work with: they are one file each, and import nothing of ours. */
import { invalidRequest } from "../../api/errors.ts";
import { choice, duration, flag, integer, text, writeOnly } from "../../api/fields.ts";
import { busy, refused, unanswered, unreachable } from "./failure.ts";
import type { AnyPlugin } from "./plugin.ts";

export const pluginKit = {
  /** Words for settings of a connection. */
  fields: { text, flag, integer, duration, choice, writeOnly },
  /** The settings are wrong. */
  invalidRequest,
  /** The database said no. */
  refused,
  /** Nothing was sent. */
  unreachable,
  /** Something was sent, and nobody knows what became of it. */
  unanswered,
  /** The database has too much to do. */
  busy,
};

export type PluginKit = typeof pluginKit;

/** What a file of a plugin exports under the name `plugin`. */
export type PluginMaker = (kit: PluginKit) => AnyPlugin;

/** Refuses what does not look like a plugin, in words for whoever wrote it. */
export function requirePlugin(made: unknown, file: string): AnyPlugin {
  const plugin = made as Partial<AnyPlugin> | null | undefined;
  const problem = problemOf(plugin);
  if (problem === undefined) return plugin as AnyPlugin;
  throw new Error(`the plugin ${file} cannot be used: ${problem}`);
}

function problemOf(plugin: Partial<AnyPlugin> | null | undefined): string | undefined {
  if (typeof plugin !== "object" || plugin === null) return "its function `plugin` returns no object";
  if (!/^[a-z][a-z0-9-]*-database-plugin$/.test(plugin.name ?? ""))
    return "its name must have the form <kind>-database-plugin";
  if (!/^v\d+\.\d+\.\d+$/.test(plugin.version ?? "")) return "its version must have the form v1.2.3";
  if (!Array.isArray(plugin.credentialTypes) || plugin.credentialTypes.length === 0) return "it has no credentialTypes";
  if (typeof plugin.settings !== "object") return "it has no settings";
  if (typeof plugin.usernameTemplate !== "string") return "it has no usernameTemplate";
  if (typeof plugin.longestUsername !== "number") return "it has no longestUsername";
  if (typeof plugin.rootSecret !== "string") return "it has no rootSecret";
  return typeof plugin.open === "function" ? undefined : "it has no function open";
}
