/** Installs hvac, the Python client, with its own test suite and all that this needs. */
import { execFile } from "node:child_process";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";

const run = promisify(execFile);
const version = "2.4.0";
const requirements = join(import.meta.dirname, "hvac-requirements.txt");
const suiteConfig = join(import.meta.dirname, "hvac-suite.hcl");

export interface Hvac {
  /** For `PYTHONPATH`. */
  readonly packages: string;
  /** The unpacked source distribution: the folder that its tests are run from. */
  readonly suite: string;
}

export async function installHvac(): Promise<Hvac> {
  const python = await pythonVersion();
  const folder = await cachedTool("hvac", [version, python, await readFile(requirements, "utf8")], async (folder) => {
    const packages = join(folder, "packages");
    await pip("install", "--target", packages, `hvac==${version}`, "--requirement", requirements);
    await pip("download", "--no-deps", "--no-binary", "hvac", "--dest", folder, `hvac==${version}`);
    await run("python3", ["-m", "tarfile", "-e", join(folder, `hvac-${version}.tar.gz`), folder]);
  });
  const suite = join(folder, `hvac-${version}`);
  // The one file of the suite that is the operator's and not the client's: how the server is to be started.
  await copyFile(suiteConfig, join(suite, "tests/config_files/vault-tls.hcl"));
  return { packages: join(folder, "packages"), suite };
}

async function pythonVersion(): Promise<string> {
  try {
    await run("python3", ["-m", "pip", "--version"]);
    return (await run("python3", ["--version"])).stdout.trim();
  } catch {
    throw new ToolUnavailable("hvac needs python3 with pip");
  }
}

async function pip(...args: readonly string[]): Promise<void> {
  try {
    await run("python3", ["-m", "pip", "--disable-pip-version-check", "--quiet", ...args]);
  } catch (error) {
    const { stderr } = error as { stderr: string };
    throw new ToolUnavailable(`pip ${args[0]} of hvac failed: ${stderr.trim().split("\n").at(-1)}`);
  }
}
