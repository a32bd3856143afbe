/** Builds zlint, which judges certificates and revocation lists by the rules of the public web, with Go. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";

const run = promisify(execFile);
const version = "v3.7.1";

export class Zlint {
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  /** The names of the rules that a file breaks. */
  async findings(file: string): Promise<string[]> {
    const { stdout } = await run(this.#program, [file]);
    const results = JSON.parse(stdout) as Record<string, { result: string }>;
    return Object.entries(results).flatMap(([rule, { result }]) => (["error", "fatal"].includes(result) ? [rule] : []));
  }
}

export async function installZlint(): Promise<Zlint> {
  const folder = await cachedTool("zlint", [version], async (unfinished) => {
    try {
      await run("go", ["install", `github.com/zmap/zlint/v3/cmd/zlint@${version}`], {
        env: { ...process.env, GOBIN: unfinished, GOFLAGS: "-p=1" },
      });
    } catch (error) {
      const { message } = error as Error;
      throw new ToolUnavailable(`zlint could not be built with Go: ${message.trim().split("\n").at(-1)}`);
    }
  });
  return new Zlint(join(folder, "zlint"));
}
