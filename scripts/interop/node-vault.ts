/** Installs node-vault, the JavaScript client. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";

const run = promisify(execFile);
const packages = ["node-vault@0.12.0", "axios@1.13.6", "debug@4.4.3", "mustache@4.2.0", "tv4@1.3.0"];

/** A `require` that finds the client and what it depends on. */
export async function installNodeVault(): Promise<NodeJS.Require> {
  const folder = await cachedTool("node-vault", packages, async (folder) => {
    await writeFile(join(folder, "package.json"), "{}");
    const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    try {
      await run("npm", ["install", ...flags, ...packages], { cwd: folder });
    } catch (error) {
      const { stderr = "", message } = error as { stderr?: string; message: string };
      throw new ToolUnavailable(`npm install of node-vault failed: ${(stderr || message).trim().split("\n")[0]}`);
    }
  });
  return createRequire(join(folder, "package.json"));
}
