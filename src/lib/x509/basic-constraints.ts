/** The basic constraints extension: whether this is an authority, and how many may follow it. */
import type { Extension } from "./extension.ts";

export interface BasicConstraints {
  readonly isAuthority: boolean;
  readonly maxPathLength?: number | undefined;
}

/** Critical. */
export function basicConstraints(_constraints: BasicConstraints): Extension {
  throw new Error("not written yet");
}

export function parseBasicConstraints(_value: Uint8Array): BasicConstraints {
  throw new Error("not written yet");
}
