/** Declares `sys/plugins/catalog`: the engines that are built in, and the plugins of the database engine. */
import type { EnginePlugin } from "../../api/engine.ts";
import { absent, invalidRequest } from "../../api/errors.ts";
import { flag, groups, items, text } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const types = ["auth", "database", "secret"] as const;
type PluginType = (typeof types)[number];

/** Mounts that every server has from the beginning; nobody can mount another. */
const notMountable = new Set(["cubbyhole", "identity", "token", "system"]);

type Catalog = Readonly<Record<PluginType, readonly EnginePlugin[]>>;

async function catalogOf({ engines, version }: SystemServices): Promise<Catalog> {
  const named = (kind: "secrets" | "auth") => {
    const ofKind = engines.filter((engine) => engine.kind === kind && !notMountable.has(engine.type));
    // An engine whose versions differ in their paths is declared once for each: kv-v1 and kv-v2 are one plugin.
    const names = new Set(ofKind.map(({ type }) => type.replace(/-v\d+$/, "")));
    return [...names].sort().map((name) => ({ name, version: `v${version}` }));
  };
  const loaded = await Promise.all(engines.map((engine) => ("load" in engine ? engine.load() : engine)));
  const plugins = loaded.flatMap((engine) => engine.plugins ?? []);
  return { auth: named("auth"), database: plugins.toSorted(byName), secret: named("secrets") };
}

const byName = (a: EnginePlugin, b: EnginePlugin) => (a.name < b.name ? -1 : 1);
const namesOf = (plugins: readonly EnginePlugin[]) => plugins.map(({ name }) => name);
const isBuiltIn = ({ sha256 }: EnginePlugin) => sha256 === undefined;
const shownVersion = (plugin: EnginePlugin) => (isBuiltIn(plugin) ? `${plugin.version}+builtin` : plugin.version);

function pluginType(written: string): PluginType {
  const found = types.find((type) => type === written);
  if (!found)
    throw invalidRequest(`${JSON.stringify(written)} is not a type of plugin: it must be one of ${types.join(", ")}`);
  return found;
}

const catalog = path({
  pattern: "plugins/catalog",
  summary: "All engines that can be mounted",
  read: {
    summary: "Read the names of all plugins by type",
    output: {
      auth: items("Auth methods"),
      database: items("Plugins of the database engine"),
      secret: items("Secrets engines"),
      detailed: groups("The same with more about each", {
        type: text("auth, database or secret"),
        name: text("Name of the plugin"),
        version: text("Its version"),
        builtin: flag("Whether it is part of the server"),
        deprecation_status: text("Always supported"),
      }),
    },
    async handler(_input, { services }) {
      const { auth, database, secret } = await catalogOf(services);
      const detailed = Object.entries({ auth, database, secret }).flatMap(([type, plugins]) =>
        plugins.map((plugin) => ({
          type,
          name: plugin.name,
          version: shownVersion(plugin),
          builtin: isBuiltIn(plugin),
          deprecation_status: "supported",
        })),
      );
      return { auth: namesOf(auth), database: namesOf(database), secret: namesOf(secret), detailed };
    },
  },
});

const byType = path({
  pattern: "plugins/catalog/:type",
  summary: "Engines of one type",
  params: { type: text("auth, database or secret") },
  list: {
    summary: "List plugins of one type",
    sudo: true,
    input: pageFields,
    output: keysField,
    async handler({ type, ...page }, { services }) {
      const { after = "", limit } = pageOf(page);
      const names = namesOf((await catalogOf(services))[pluginType(type)]).filter((name) => name > after);
      return { keys: names.slice(0, limit) };
    },
  },
});

const noOthers = () =>
  invalidRequest("plugins are part of the server: none can be registered, changed or removed while it runs");

const plugin = path({
  pattern: "plugins/catalog/:type/:name",
  summary: "One engine",
  params: { type: text("auth, database or secret"), name: text("Name of the plugin") },
  read: {
    summary: "Read about a plugin",
    sudo: true,
    input: { version: text("Accepted; there is one version").default("") },
    output: {
      name: text("Name of the plugin"),
      args: items("Arguments; always empty"),
      builtin: flag("Whether it is part of the server"),
      command: text("Program that runs it; always empty"),
      sha256: text("Hash of the file that it was loaded from; empty if it is part of the server"),
      version: text("Version of the plugin"),
      deprecation_status: text("Always supported"),
    },
    async handler({ type, name }, { services }) {
      const found = (await catalogOf(services))[pluginType(type)].find((plugin) => plugin.name === name);
      if (!found) throw absent();
      return {
        name,
        args: [],
        builtin: isBuiltIn(found),
        command: "",
        sha256: found.sha256 ?? "",
        version: shownVersion(found),
        deprecation_status: "supported",
      };
    },
  },
  write: {
    summary: "Refused: plugins are part of the server",
    sudo: true,
    openInput: true,
    handler: async () => {
      throw noOthers();
    },
  },
  delete: {
    summary: "Refused: plugins are part of the server",
    sudo: true,
    openInput: true,
    handler: async () => {
      throw noOthers();
    },
  },
});

export const pluginPaths = [catalog, byType, plugin];
