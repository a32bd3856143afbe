/** The connections that this process holds open, each behind a gate; opened when first used, and anew when changed. */
import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import type { Host } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import { type Connection, secretsOf } from "./connection.ts";
import { attributed } from "./failure.ts";
import { Gate } from "./gate.ts";
import type { AnyPlugin, Database, PluginTools } from "./plugin.ts";

interface Opened {
  readonly revision: string;
  readonly database: Database;
  readonly gate: Gate;
}

const mostWaiting = 2000;
const longestWaitMs = 30_000;
/** Longer than any call that a plugin makes waits on its own. */
const longestCallMs = 20_000;
const mostFileBytes = 1_048_576;

export class OpenDatabases {
  readonly #plugins: ReadonlyMap<string, AnyPlugin>;
  readonly #tools: PluginTools;
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #gates = new Map<string, Gate>();

  constructor(plugins: readonly AnyPlugin[], host: Host) {
    this.#plugins = new Map(
      plugins.flatMap((plugin) => [plugin.name, ...(plugin.aliases ?? [])].map((name) => [name, plugin])),
    );
    this.#tools = { outbound: host.outbound, readText: readAuthorities };
    host.metrics.gauge("database_calls_waiting", "Calls that wait for a free connection to a database", () =>
      this.#gates.values().reduce((sum, { waiting }) => sum + waiting, 0),
    );
  }

  findPlugin(name: string): AnyPlugin | undefined {
    return this.#plugins.get(name);
  }

  pluginOf({ plugin_name }: Connection): AnyPlugin {
    const plugin = this.#plugins.get(plugin_name);
    if (plugin) return plugin;
    const known = [...this.#plugins.keys()].sort().join(", ");
    throw invalidRequest(
      `error creating database object: plugin not found in the catalog: ${plugin_name}; this server has ${known}`,
    );
  }

  /** Runs a call to the database. `secrets` are words of this call that no message may hold. */
  async use<T>(
    name: string,
    connection: Connection,
    work: (database: Database) => Promise<T>,
    secrets: readonly string[] = [],
  ): Promise<T> {
    try {
      const { database, gate } = await this.#open(name, connection);
      this.#gates.set(name, gate);
      return await gate.pass(() => work(database));
    } catch (error) {
      throw attributed(error, name, [...secrets, ...secretsOf(connection, this.findPlugin(connection.plugin_name))]);
    }
  }

  /** Opens a connection beside those in use, only for this one piece of work. */
  async tryOut<T>(name: string, connection: Connection, work: (database: Database) => Promise<T>): Promise<T> {
    try {
      const { database, gate } = await this.#make(connection);
      try {
        return await gate.pass(() => work(database));
      } finally {
        void database.close().catch(() => undefined);
      }
    } catch (error) {
      throw attributed(error, name, secretsOf(connection, this.findPlugin(connection.plugin_name)));
    }
  }

  /** The next call opens the connection anew. */
  drop(name: string): void {
    const opened = this.#opened.get(name);
    this.#opened.delete(name);
    this.#gates.delete(name);
    opened?.then(({ database }) => database.close()).catch(() => undefined);
  }

  stop(): void {
    for (const name of [...this.#opened.keys()]) this.drop(name);
  }

  async #open(name: string, connection: Connection): Promise<Opened> {
    const existing = this.#opened.get(name);
    if (existing) {
      const opened = await existing;
      if (opened.revision === connection.revision) return opened;
      // Another caller may have replaced it meanwhile.
      if (this.#opened.get(name) === existing) this.drop(name);
      return this.#open(name, connection);
    }
    const made = this.#make(connection);
    this.#opened.set(name, made);
    made.catch(() => {
      if (this.#opened.get(name) === made) this.#opened.delete(name);
    });
    return made;
  }

  async #make(connection: Connection): Promise<Opened> {
    const plugin = this.pluginOf(connection);
    const database = await plugin.open(readSettings(plugin, connection.details), this.#tools);
    const limits = { width: database.width, queue: mostWaiting, waitMs: longestWaitMs, callMs: longestCallMs };
    return { revision: connection.revision, database, gate: new Gate(limits) };
  }
}

/** What the plugin declared, with its defaults. */
function readSettings(plugin: AnyPlugin, details: Readonly<JsonObject>): Record<string, unknown> {
  const parsed = z.object(plugin.settings).safeParse(details);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${JSON.stringify(path.join("."))}: ${message}`);
  throw invalidRequest(problems.join("; "));
}

/** Says the same of a file that is not there as of one that is no bundle: its path came over the network. */
async function readAuthorities(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > 0 && size <= mostFileBytes) return await readFile(path, "utf8");
  } catch {
    // Falls through: the reason would tell what there is on this machine.
  }
  throw invalidRequest("the file named by ca_path holds no PEM certificate");
}
