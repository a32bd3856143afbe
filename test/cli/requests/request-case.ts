/** A command, and the requests that it is known to send. */
import type { Replies } from "../recording-server.ts";

export interface RequestCase {
  readonly command: string;
  /** Request lines in order; with a body where that matters. */
  readonly sends: readonly (string | readonly [line: string, body: unknown])[];
  readonly replies?: Replies;
  readonly input?: string;
  readonly typed?: string[];
}
