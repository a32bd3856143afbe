/** How a command ends early: with a message for the person at the terminal, and an exit code. */

/** Nobody has to look these numbers up: all is well, the caller is wrong, the server says no. */
export const exitCodes = { ok: 0, local: 1, refused: 2 } as const;

/** The command line is not one that the command takes; the message goes out with a pointer to its help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Ends the command with a message and a code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
