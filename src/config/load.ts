/** Finds and reads configuration files: each path is a file, or a folder of them. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { ConfigError } from "./report.ts";
import type { Environment } from "./section.ts";
import { type ConfigSource, type LoadedConfig, parseServerConfig } from "./server-config.ts";

export interface LoadOptions {
  readonly environment?: Environment;
  /** Come before the files, which win over them. */
  readonly base?: readonly ConfigSource[];
  /** Top-level keys set by flags, which win over the files and the environment: `log_level` for `-log-level`. */
  readonly flags?: Readonly<Record<string, string | undefined>>;
}

/** Throws `ConfigError`, also for files that cannot be read. */
export async function loadServerConfig(paths: readonly string[], options: LoadOptions = {}): Promise<LoadedConfig> {
  const sources: ConfigSource[] = [...(options.base ?? [])];
  const problems: string[] = [];
  const attempt = async <Result>(
    path: string,
    read: (path: string) => Promise<Result>,
  ): Promise<Result | undefined> => {
    try {
      return await read(path);
    } catch (error) {
      problems.push(`${path}: ${reasonOf(error)}`);
      return undefined;
    }
  };
  for (const path of paths) {
    for (const file of (await attempt(path, configFiles)) ?? []) {
      const source = await attempt(file, readSource);
      if (source !== undefined) sources.push(source);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  sources.push(...Object.entries(options.flags ?? {}).flatMap(flagSource));
  return parseServerConfig(sources, options.environment);
}

function flagSource([key, written]: [string, string | undefined]): ConfigSource[] {
  if (written === undefined) return [];
  const file = `flag -${key.replaceAll("_", "-")}`;
  return [{ file, text: JSON.stringify({ [key]: written }), isFlag: true, outranksEnvironment: true }];
}

/** The file itself, or all of a folder's `.hcl` and `.json` files in alphabetical order. */
async function configFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter(isConfigName).sort();
  if (names.length === 0) throw new Error("the folder has no .hcl or .json file");
  return names.map((name) => join(path, name));
}

/** Editors leave hidden files behind. */
const isConfigName = (name: string) => /^[^.#].*\.(?:hcl|json)$/.test(name);

async function readSource(file: string): Promise<ConfigSource> {
  const bytes = await readFile(file);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { file, text, syntax: extname(file) === ".json" ? "json" : undefined };
  } catch {
    throw new Error("this is not a text file in UTF-8");
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return "there is no such file or folder";
  if (code === "EACCES") return "the file may not be read by this user";
  return (error as Error).message;
}
