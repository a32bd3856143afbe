/** The one error that reading HCL can throw. */
import type { Position } from "./syntax-tree.ts";

export class HclError extends Error {
  override readonly name = "HclError";
  readonly position: Position;
  /** The message without the position, for those who show positions in their own way. */
  readonly reason: string;

  constructor(reason: string, position: Position) {
    super(`At ${position.line}:${position.column}: ${reason}`);
    this.reason = reason;
    this.position = position;
  }
}
