/** Where a command reads from and writes to: the process's streams, or a test's. */
import { text } from "node:stream/consumers";
import { CommandFailure } from "./failure.ts";
import type { Environment } from "./flags.ts";

export interface Terminal {
  readonly environment: Environment;
  /** A person is looking at the output. */
  readonly isInteractive: boolean;
  /** To standard output, as it is. */
  write(text: string | Uint8Array): void;
  /** To standard error, with a line feed. */
  complain(text: string): void;
  /** All of standard input; the second call gets the same text. */
  readInput(): Promise<string>;
  /** Asks on standard error and reads one line without showing it, or from standard input if that is no terminal. */
  askSecret(question: string): Promise<string>;
}

/** The streams of this process. */
export class ProcessTerminal implements Terminal {
  readonly environment: Environment = process.env;
  readonly isInteractive = process.stdout.isTTY === true;
  #input: Promise<string> | undefined;

  constructor() {
    // Whoever reads the output may stop early (`| head`), which is no failure of ours.
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }

  write(text: string | Uint8Array): void {
    process.stdout.write(text);
  }

  complain(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  readInput(): Promise<string> {
    this.#input ??= text(process.stdin);
    return this.#input;
  }

  async askSecret(question: string): Promise<string> {
    if (!process.stdin.isTTY) return withoutLineFeed(await this.readInput());
    return readHidden(process.stdin, question);
  }
}

const withoutLineFeed = (input: string): string => input.replace(/\r?\n$/, "");

const interrupt = "\u0003";
const endOfInput = "\u0004";
const erase = new Set(["\u007f", "\b"]);

/** The terminal must not echo, from before the question is there; so every key is ours to handle. */
async function readHidden(stdin: NodeJS.ReadStream, question: string): Promise<string> {
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  try {
    process.stderr.write(question);
    const typed: string[] = [];
    for await (const keys of stdin.iterator({ destroyOnReturn: false })) {
      for (const key of keys as string) {
        if (key === interrupt) throw new CommandFailure("interrupted", 130);
        if (key === "\r" || key === "\n" || key === endOfInput) return typed.join("");
        if (erase.has(key)) typed.pop();
        else typed.push(key);
      }
    }
    return typed.join("");
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write("\n");
  }
}
