/** What the operations on the seal have in common: one store, one barrier, and the seal of the configuration. */
import type { Clock, Random } from "../../api/engine.ts";
import type { Store } from "../storage/store.ts";
import type { Barrier } from "./barrier.ts";
import type { Companions } from "./companions.ts";
import type { KeyringStore } from "./keyring-store.ts";
import type { Seal } from "./seal.ts";

export interface Foundation {
  readonly store: Store;
  readonly barrier: Barrier;
  readonly keyrings: KeyringStore;
  /** Opens the barrier by itself; undefined when people do, with shares of an unseal key. */
  readonly autoSeal: Seal | undefined;
  /** Other processes of this node; undefined where this one is alone. */
  readonly companions?: Companions | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

export const sealType = ({ autoSeal }: Foundation) => autoSeal?.type ?? "shamir";
