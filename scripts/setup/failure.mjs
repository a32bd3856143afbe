/** A reason why set-up cannot go on, worded for the person at the terminal, and the exit code that goes with it. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
