/** The supervisor's part in the seal: the root key that the node was opened with, for workers that start later. */
import type { SealState, SentRootKey } from "./messages.ts";

export class NodeSeal {
  #round = 0;
  #rootKey: SentRootKey | undefined;
  #wasSealed = false;

  get state(): SealState {
    return { round: this.#round, rootKey: this.#rootKey, wasSealed: this.#wasSealed };
  }

  /**
   * Takes the key over, and answers whether the node was closed until now. A worker that opened before it heard that the
   * node was sealed is not believed: it will hear, and close.
   */
  opened(round: number, rootKey: SentRootKey): boolean {
    const isOlder = this.#rootKey !== undefined && rootKey.generation < this.#rootKey.generation;
    if (round !== this.#round || isOlder) {
      rootKey.key.fill(0);
      return false;
    }
    const wasClosed = this.#rootKey === undefined;
    this.#rootKey?.key.fill(0);
    this.#rootKey = rootKey;
    this.#wasSealed = false;
    return wasClosed;
  }

  /** Answers the new round. */
  sealed(): number {
    this.#rootKey?.key.fill(0);
    this.#rootKey = undefined;
    this.#wasSealed = true;
    this.#round += 1;
    return this.#round;
  }
}
