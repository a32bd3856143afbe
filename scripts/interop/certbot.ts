/** Installs certbot, the ACME client of the Electronic Frontier Foundation, from PyPI. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";

const run = promisify(execFile);
const version = "5.1.0";

/** For `PYTHONPATH`. */
export async function installCertbot(): Promise<string> {
  const python = await pythonVersion();
  const folder = await cachedTool("certbot", [version, python], async (unfinished) => {
    const args = ["-m", "pip", "--disable-pip-version-check", "--quiet", "install"];
    try {
      await run("python3", [...args, "--target", join(unfinished, "packages"), `certbot==${version}`]);
    } catch (error) {
      const { stderr } = error as { stderr: string };
      throw new ToolUnavailable(`pip install of certbot failed: ${stderr.trim().split("\n").at(-1)}`);
    }
  });
  return join(folder, "packages");
}

async function pythonVersion(): Promise<string> {
  try {
    await run("python3", ["-m", "pip", "--version"]);
    return (await run("python3", ["--version"])).stdout.trim();
  } catch {
    throw new ToolUnavailable("certbot needs python3 with pip");
  }
}
