/** Unpacks packages of Debian, with the libraries that they need, without installing anything on the machine. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";

const run = promisify(execFile);

/** Where a package is unpacked: `usr/bin/…` is below. */
export async function unpackPackage(name: string, libraries: readonly string[] = []): Promise<string> {
  const version = await candidate(name);
  return cachedTool(`debian-${name}`, [version, ...libraries], async (folder) => {
    try {
      await run("apt-get", ["download", name, ...libraries], { cwd: folder });
      const files = (await readdir(folder)).filter((file) => file.endsWith(".deb"));
      for (const file of files) await run("dpkg-deb", ["-x", join(folder, file), folder]);
    } catch (error) {
      throw new ToolUnavailable(`the package ${name} could not be fetched: ${lastLine(error)}`);
    }
  });
}

async function candidate(name: string): Promise<string> {
  try {
    const { stdout } = await run("apt-cache", ["policy", name]);
    const [, version] = /Candidate: (\S+)/.exec(stdout) ?? [];
    if (version !== undefined && version !== "(none)") return version;
  } catch {
    throw new ToolUnavailable(`${name} comes from Debian's packages, and there is no apt-cache here`);
  }
  throw new ToolUnavailable(`Debian's packages have no ${name} for this machine`);
}

const lastLine = (error: unknown): string =>
  (error as { stderr?: string }).stderr?.trim().split("\n").at(-1) ?? String(error);
