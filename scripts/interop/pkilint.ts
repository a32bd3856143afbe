/** Installs pkilint, which judges certificates, revocation lists and OCSP answers, from PyPI; with it comes `cryptography`. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";

const run = promisify(execFile);
const version = "0.13.3";

export type PkilintTool = "lint_pkix_cert" | "lint_crl" | "lint_ocsp_response";

export class Pkilint {
  /** For `PYTHONPATH`. */
  readonly packages: string;

  constructor(packages: string) {
    this.packages = packages;
  }

  /** What it finds wrong in a file, as `code: message`; warnings count. */
  async findings(tool: PkilintTool, file: string): Promise<string[]> {
    const kind = tool === "lint_crl" ? ["-t", "CRL", "-p", "PKIX"] : [];
    const args = [join(this.packages, "bin", tool), "lint", ...kind, "-s", "WARNING", "-f", "JSON", file];
    // It ends with the number of findings.
    const { stdout, stderr } = await this.python(...args).catch((error) => error as { stdout: string; stderr: string });
    if (!stdout.startsWith("{")) throw new Error(`${tool}: ${stderr}`);
    const { results } = JSON.parse(stdout) as {
      results: { finding_descriptions: { code: string; message: string }[] }[];
    };
    return results.flatMap((each) => each.finding_descriptions.map(({ code, message }) => `${code}: ${message}`));
  }

  /** Runs a program with its packages. */
  python(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    return run("python3", args, { env: { ...process.env, PYTHONPATH: this.packages, PYTHONDONTWRITEBYTECODE: "1" } });
  }
}

export async function installPkilint(): Promise<Pkilint> {
  const python = await pythonVersion();
  const folder = await cachedTool("pkilint", [version, python], async (unfinished) => {
    const args = ["-m", "pip", "--disable-pip-version-check", "--quiet", "install"];
    try {
      await run("python3", [...args, "--target", join(unfinished, "packages"), `pkilint==${version}`]);
    } catch (error) {
      const { stderr } = error as { stderr: string };
      throw new ToolUnavailable(`pip install of pkilint failed: ${stderr.trim().split("\n").at(-1)}`);
    }
  });
  return new Pkilint(join(folder, "packages"));
}

async function pythonVersion(): Promise<string> {
  try {
    await run("python3", ["-m", "pip", "--version"]);
    return (await run("python3", ["--version"])).stdout.trim();
  } catch {
    throw new ToolUnavailable("pkilint needs python3 with pip");
  }
}
