/** What is wrong with a signed message or a key, in words for the one who sent it; the code is for programs. */

export type JwsProblem =
  /** Not a signed message in the form that was expected. */
  | "malformed"
  /** An algorithm, or a header parameter, that is not supported. */
  | "unsupported"
  /** A key that is broken, weak, private or of an unknown kind. */
  | "key";

export class JwsError extends Error {
  override readonly name = "JwsError";
  readonly code: JwsProblem;

  constructor(code: JwsProblem, message: string) {
    super(message);
    this.code = code;
  }
}
