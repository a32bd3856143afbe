/**
 * The other worker processes of this node. They are sealed and unsealed together, and what people do in several steps
 * (unsealing, new shares, a root token) has its progress in one of them, whichever connection a step arrives on.
 */
import type { RootKey } from "./keyring.ts";

/** One step, for the process that keeps the progress. Everything in it can be sent to another process. */
export interface Step {
  readonly ceremony: CeremonyName;
  readonly operation: string;
  readonly input: readonly unknown[];
}

export type CeremonyName = "unseal" | "rekey-root" | "rekey-recovery" | "generate-root";

export interface Companions {
  /** The root key that the node was unsealed with, for the caller to keep or wipe; `sealed` once somebody sealed it. */
  rootKey(): Promise<RootKey | "sealed" | undefined>;
  /** This process holds this root key now, which is not taken over; resolves when the others have opened too. */
  opened(rootKey: RootKey): Promise<void>;
  /** Resolves when no other process of this node has keys any more. */
  sealed(): Promise<void>;
  /** Takes a step where the progress is kept, which may be here: then it comes back as a call of `SealControl.take`. */
  take(step: Step): Promise<unknown>;
}

/** An object whose operations are steps that are taken where the progress is kept. */
export function elsewhere<Ceremony>(
  companions: Companions,
  ceremony: CeremonyName,
  operations: readonly (keyof Ceremony & string)[],
): Ceremony {
  const step = (operation: string) => [
    operation,
    (...input: unknown[]) => companions.take({ ceremony, operation, input }),
  ];
  return Object.fromEntries(operations.map(step)) as Ceremony;
}
