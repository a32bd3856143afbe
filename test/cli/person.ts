/** Somebody at a terminal: has a home of their own, and runs the program in this process or as one of its own. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Outcome, runCommand } from "../../src/cli/terminal-fixture.suite.ts";

const program = join(import.meta.dirname, "../../src/cli/main.ts");

/** `type` needs a command that makes a terminal; that of other systems takes other options. */
const terminalMaker = "script";
export const canType = spawnSync(terminalMaker, ["-qec", "true", "/dev/null"]).status === 0;

export class Person implements Disposable {
  readonly home = mkdtempSync(join(tmpdir(), "strongroom-person-"));
  readonly environment: Record<string, string>;

  constructor(environment: Record<string, string> = {}) {
    this.environment = environment;
  }

  /** In this process, which takes a fraction of the time. Words are split at spaces unless they come as a list. */
  run(line: string | readonly string[], input = ""): Promise<Outcome> {
    return runCommand(line, this.#variables, input);
  }

  /** As `run`, for lines that must work; gives what was printed. */
  async succeed(line: string | readonly string[], input = ""): Promise<string> {
    return printed(line, await this.run(line, input));
  }

  /** As `succeed`, as a process in the person's home. */
  async launch(line: string, input = ""): Promise<string> {
    return printed(line, await this.spawn(line, input));
  }

  async spawn(line: string, input = ""): Promise<Outcome> {
    const child = spawn(process.execPath, [program, ...line.split(" ")], { env: this.#variables, cwd: this.home });
    // A command that reads no input may be gone before it is written.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [output, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code: code ?? -1, output, complaints, questions: [] };
  }

  /** Types `keys` at a real terminal once the question is there; gives all that the terminal showed. */
  async type(line: string, question: string, keys: string): Promise<{ code: number | null; screen: string }> {
    const command = `'${process.execPath}' '${program}' ${line}`;
    const child = spawn(terminalMaker, ["-qec", command, "/dev/null"], { env: this.#variables, cwd: this.home });
    let screen = "";
    for await (const part of child.stdout.setEncoding("utf8")) {
      const hadAsked = screen.includes(question);
      screen += part;
      if (!hadAsked && screen.includes(question)) child.stdin.write(keys);
    }
    if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
    return { code: child.exitCode, screen };
  }

  get #variables(): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.home, NODE_NO_WARNINGS: "1", ...this.environment };
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true });
  }
}

function printed(line: string | readonly string[], { code, output, complaints }: Outcome): string {
  if (code !== 0) throw new Error(`${line} ended with ${code}:\n${output}${complaints}`);
  return output;
}
