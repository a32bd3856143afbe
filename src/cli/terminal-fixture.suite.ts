/** A terminal for tests: remembers what was printed, and answers what it was told to. */
import { dispatch } from "./dispatch.ts";
import type { Environment } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

export class RecordedTerminal implements Terminal {
  readonly environment: Environment;
  isInteractive = false;
  output = "";
  complaints = "";
  readonly questions: string[] = [];
  readonly #input: string;
  readonly #typed: string[];

  constructor(environment: Environment = {}, input = "", typed: readonly string[] = []) {
    this.environment = environment;
    this.#input = input;
    this.#typed = [...typed];
  }

  write(text: string | Uint8Array): void {
    this.output += typeof text === "string" ? text : Buffer.from(text).toString();
  }

  complain(text: string): void {
    this.complaints += `${text}\n`;
  }

  async readInput(): Promise<string> {
    return this.#input;
  }

  async askSecret(question: string): Promise<string> {
    this.questions.push(question);
    return this.#typed.shift() ?? "";
  }
}

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly complaints: string;
  readonly questions: readonly string[];
}

/** Runs a command in this process. Words are split at spaces unless they come as a list. */
export async function runCommand(
  line: string | readonly string[],
  environment: Environment = {},
  input = "",
  typed: readonly string[] = [],
): Promise<Outcome> {
  const terminal = new RecordedTerminal(environment, input, typed);
  const words = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  const code = await dispatch(words, terminal);
  return { code, output: terminal.output, complaints: terminal.complaints, questions: terminal.questions };
}
