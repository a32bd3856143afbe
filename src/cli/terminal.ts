/** Where a command reads from and writes to: the process's streams, or a test's. */
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
