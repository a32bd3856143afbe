/** Loads plugins of the database engine that the operator pinned by their hash: no byte runs that the hash does not cover. */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { EngineSource } from "../api/engine.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { engines } from "../engine-list.ts";
import type { AnyPlugin } from "../engines/database/plugin.ts";
import type { PluginMaker } from "../engines/database/plugin-kit.ts";

type PluginSettings = Pick<ServerConfig, "plugin_directory" | "database_plugins">;

/** All engines, with the configured plugins in the database engine. */
export async function enginesFor(settings: PluginSettings): Promise<readonly EngineSource[]> {
  const { plugin_directory, database_plugins } = settings;
  if (database_plugins.length === 0) return engines;
  if (plugin_directory === undefined)
    throw new Error("database_plugins needs plugin_directory, the folder they lie in");
  const { databaseEngine } = await import("../engines/database/engine.ts");
  const { plugins } = await import("../engines/database/plugins/index.ts");
  const known = [...plugins];
  for (const pin of database_plugins) known.push(requireNew(await load(plugin_directory, pin), known));
  const extended = databaseEngine(known);
  return engines.map((engine) => (engine.type === extended.type ? { ...engine, load: async () => extended } : engine));
}

async function load(folder: string, pin: string): Promise<AnyPlugin> {
  const equals = pin.indexOf("=");
  const file = pin.slice(0, Math.max(0, equals)).trim();
  const expected = pin
    .slice(equals + 1)
    .trim()
    .toLowerCase();
  if (file === "" || basename(file) !== file || !/^[0-9a-f]{64}$/.test(expected)) {
    throw new Error(`database_plugins: ${JSON.stringify(pin)} is not <file>=<SHA-256 in hexadecimal>`);
  }
  const source = await readFile(join(folder, file)).catch((error: Error) => {
    throw new Error(`the plugin ${file} cannot be read: ${error.message}`);
  });
  const digest = createHash("sha256").update(source).digest();
  if (!timingSafeEqual(digest, Buffer.from(expected, "hex"))) {
    throw new Error(`the plugin ${file} has the SHA-256 ${digest.toString("hex")}, and not the one that is configured`);
  }
  // From the very bytes that were hashed: the file could be another by now. Such a module can import only parts of Node.
  const module = (await import(`data:text/javascript;base64,${source.toString("base64")}`)) as { plugin?: PluginMaker };
  const { pluginKit, requirePlugin } = await import("../engines/database/plugin-kit.ts");
  if (typeof module.plugin !== "function") throw new Error(`the plugin ${file} exports no function \`plugin\``);
  return { ...requirePlugin(module.plugin(pluginKit), file), sha256: expected };
}

function requireNew(plugin: AnyPlugin, known: readonly AnyPlugin[]): AnyPlugin {
  const names = [plugin.name, ...(plugin.aliases ?? [])];
  const taken = known.flatMap(({ name, aliases = [] }) => [name, ...aliases]).find((name) => names.includes(name));
  if (taken === undefined) return plugin;
  throw new Error(`there is a plugin named ${taken} already`);
}
