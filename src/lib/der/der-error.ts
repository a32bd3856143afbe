/** What the DER reader throws for bytes that are not what they should be. */
export class DerError extends Error {
  override readonly name = "DerError";
}
