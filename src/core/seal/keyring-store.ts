/**
 * The one keyring that all processes share: read when a process is unsealed, read again when another process changed
 * it, and changed only on top of what is stored.
 */
import type { Random } from "../../api/engine.ts";
import { sealed } from "../../api/errors.ts";
import { type Batch, Conflict, type Entry, type Store, type Version } from "../storage/store.ts";
import { type Barrier, UnknownTerm } from "./barrier.ts";
import { advanceRootKey } from "./handoff.ts";
import { keyCopy, wipe } from "./key-material.ts";
import type { Keyring } from "./keyring.ts";
import { decodeKeyring, encodeKeyring, generationOf } from "./keyring-record.ts";
import { storedAt } from "./stored-at.ts";
import { Turnstile } from "./turnstile.ts";

const mostTries = 20;

/** What else belongs into the commit that stores a changed keyring. */
type Alongside = Partial<Pick<Batch, "expect" | "puts">>;

export class KeyringStore {
  readonly #store: Store;
  readonly #barrier: Barrier;
  readonly #random: Random;
  readonly #turnstile = new Turnstile();

  constructor(store: Store, barrier: Barrier, random: Random) {
    this.#store = store;
    this.#barrier = barrier;
    this.#random = random;
  }

  /** Takes what is stored into this process: after `UnknownTerm`, and when the store says that the keyring changed. */
  reload(): Promise<void> {
    return this.#turnstile.run(async () => {
      await this.#refresh();
    });
  }

  /** An entry inside the barrier, also when it was written with a key that this process does not have yet. */
  async readEntry(key: string): Promise<Entry | undefined> {
    const entry = await this.#store.get(key);
    if (entry === undefined) return undefined;
    try {
      return { value: this.#barrier.decrypt(key, entry.value), version: entry.version };
    } catch (error) {
      if (!(error instanceof UnknownTerm)) throw error;
    }
    await this.reload();
    return { value: this.#barrier.decrypt(key, entry.value), version: entry.version };
  }

  /**
   * Stores a changed keyring, together with the counts of this process. `edit` gets a copy to change, and is called
   * again when another process was faster: it must not have effects of its own, nor call this class.
   */
  change(edit: (draft: Keyring) => Alongside | Promise<Alongside>): Promise<void> {
    return this.#turnstile.run(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await this.#attempt(edit);
        } catch (error) {
          const raced = error instanceof Conflict || error instanceof UnknownTerm;
          if (!raced || tries === mostTries) throw error;
        }
      }
    });
  }

  async #attempt(edit: (draft: Keyring) => Alongside | Promise<Alongside>): Promise<void> {
    const version = await this.#refresh();
    const live = this.#barrier.keyring;
    const draft = live.copy();
    try {
      const { expect = new Map(), puts = new Map() } = await edit(draft);
      if (live !== currentKeyring(this.#barrier)) throw sealed();
      const counted = moveCounts(live, draft);
      await this.#store.commit({
        expect: new Map([...expect, [storedAt.keyring, version]]),
        puts: new Map([...puts, [storedAt.keyring, encodeKeyring(draft, this.#random)]]),
        deletes: new Set(),
      });
      for (const [term, count] of counted) term.unsaved -= count;
    } catch (error) {
      draft.wipe();
      throw error;
    }
    this.#adopt(live, draft);
  }

  /** Returns the version of what is now in use. */
  async #refresh(): Promise<Version> {
    const live = this.#barrier.keyring;
    const entry = await this.#store.get(storedAt.keyring);
    if (entry === undefined) throw new Error("the keyring is no longer in the store");
    const { generation, key } = live.rootKey;
    const rootKey = await advanceRootKey(this.#store, { generation, key: keyCopy(key) }, generationOf(entry.value));
    if (live !== currentKeyring(this.#barrier)) {
      wipe(rootKey.key);
      throw sealed();
    }
    this.#adopt(live, decodeKeyring(entry.value, rootKey));
    return entry.version;
  }

  /** A process that was sealed in the meantime must not get keys back. */
  #adopt(live: Keyring, successor: Keyring): void {
    if (live === currentKeyring(this.#barrier)) this.#barrier.open(successor);
    else successor.wipe();
  }
}

const currentKeyring = (barrier: Barrier): Keyring | undefined => (barrier.isSealed ? undefined : barrier.keyring);

/** Adds what this process counted to what will be stored; encryptions that happen meanwhile stay for the next time. */
function moveCounts(live: Keyring, draft: Keyring) {
  return [...live.terms.values()].map((term) => {
    const stored = draft.terms.get(term.term);
    if (stored !== undefined) stored.saved += term.unsaved;
    return [term, term.unsaved] as const;
  });
}
