/** Everything an operator can do with the seal of one process, put together. */
import type { Clock, Random } from "../../api/engine.ts";
import type { Store } from "../storage/store.ts";
import { Barrier } from "./barrier.ts";
import { type Foundation, sealType } from "./foundation.ts";
import { GenerateRoot, type RootTokens } from "./generate-root.ts";
import { RootKeyReplaced, removeOldHandoffs } from "./handoff.ts";
import {
  type FirstEntries,
  type InitializeRequest,
  type InitializeResult,
  initialize,
  isInitialized,
} from "./initialize.ts";
import { KeyringStore } from "./keyring-store.ts";
import { Rekey } from "./rekey.ts";
import {
  type KeyStatus,
  keyStatus,
  maintainKeyring,
  readRotation,
  rotateKeyring,
  rotateRootKey,
  writeRotation,
} from "./rotation.ts";
import type { RotationSettings } from "./rotation-settings.ts";
import type { Seal } from "./seal.ts";
import { noQuorum, readSealConfig } from "./seal-config.ts";
import { Unsealing, type UnsealRequest } from "./unsealing.ts";

export interface SealParts {
  readonly store: Store;
  readonly autoSeal?: Seal | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly rootTokens: RootTokens;
  /** Called when the keys of this process are gone, for others to forget what they decrypted; says why. */
  readonly onSealed?: (reason: string) => void;
}

/** What the server adds: `version`, `commit_date`, `cluster_name`, `cluster_id`, `warnings`. */
export interface SealStatus {
  readonly type: string;
  readonly initialized: boolean;
  readonly sealed: boolean;
  readonly t: number;
  readonly n: number;
  readonly progress: number;
  readonly nonce: string;
  readonly recovery_seal: boolean;
  readonly recovery_seal_type?: string;
  readonly migration: false;
  readonly storage_type: string;
}

export class SealControl {
  readonly barrier: Barrier;
  readonly rekey: { readonly root: Rekey; readonly recovery: Rekey };
  readonly generateRoot: GenerateRoot;
  readonly #foundation: Foundation;
  readonly #unsealing: Unsealing;
  readonly #onSealed: (reason: string) => void;

  constructor({ store, autoSeal, clock, random, rootTokens, onSealed = () => {} }: SealParts) {
    this.barrier = new Barrier(random);
    const keyrings = new KeyringStore(store, this.barrier, random);
    this.#foundation = { store, barrier: this.barrier, keyrings, autoSeal, clock, random };
    this.#unsealing = new Unsealing(this.#foundation);
    this.rekey = { root: new Rekey(this.#foundation, "root"), recovery: new Rekey(this.#foundation, "recovery") };
    this.generateRoot = new GenerateRoot(this.#foundation, rootTokens);
    this.#onSealed = onSealed;
  }

  async status(): Promise<SealStatus> {
    const { store, autoSeal } = this.#foundation;
    const config = (await readSealConfig(store))?.config;
    const { threshold, shares } = config?.unseal ?? noQuorum;
    return {
      type: config?.type ?? sealType(this.#foundation),
      initialized: config !== undefined,
      sealed: this.barrier.isSealed,
      t: threshold,
      n: shares,
      progress: this.#unsealing.progress,
      nonce: this.#unsealing.nonce,
      recovery_seal: autoSeal !== undefined,
      ...(autoSeal !== undefined && { recovery_seal_type: "shamir" }),
      migration: false,
      storage_type: store.type,
    };
  }

  isInitialized(): Promise<boolean> {
    return isInitialized(this.#foundation.store);
  }

  /** Leaves the server sealed; with an automatic seal, call `openAutomatically` next. */
  initialize(request: InitializeRequest, firstEntries?: FirstEntries): Promise<InitializeResult> {
    return initialize(this.#foundation, request, firstEntries);
  }

  async unseal(request: UnsealRequest): Promise<SealStatus> {
    await this.#unsealing.provide(request);
    return this.status();
  }

  /** True when the barrier is open; false when it takes people, or an initialization, to open it. */
  openAutomatically(): Promise<boolean> {
    return this.#unsealing.openAutomatically();
  }

  /** Keys are gone when this returns, and so is what was under way in this process; other processes go on. */
  async seal(reason = "sealed on request"): Promise<void> {
    const wasSealed = this.barrier.isSealed;
    this.barrier.close();
    if (!wasSealed) this.#onSealed(reason);
    this.#unsealing.reset();
    await Promise.all([this.rekey.root.abandon(), this.rekey.recovery.abandon(), this.generateRoot.cancel()]);
  }

  /**
   * Takes over what other processes did to the keys. Call it on `UnknownTerm`, when the store reports a change below
   * `core/seal/`, and now and then. A process that missed a change of the root key opens again, or is sealed.
   */
  async reload(): Promise<void> {
    try {
      await this.#foundation.keyrings.reload();
    } catch (error) {
      if (!(error instanceof RootKeyReplaced)) throw error;
      await this.seal(error.message);
      if (!(await this.openAutomatically())) throw error;
    }
  }

  /** For a periodic job in every process: reports counts, rotates the keyring when it is time, removes old handoffs. */
  async maintain(): Promise<void> {
    if (this.barrier.isSealed) return;
    await this.reload();
    await maintainKeyring(this.#foundation);
    await removeOldHandoffs(this.#foundation.store, this.#foundation.clock);
  }

  keyStatus(): KeyStatus {
    return keyStatus(this.#foundation);
  }

  rotateKeyring(): Promise<void> {
    return rotateKeyring(this.#foundation);
  }

  readRotation(): RotationSettings {
    return readRotation(this.#foundation);
  }

  writeRotation(change: Partial<RotationSettings>): Promise<void> {
    return writeRotation(this.#foundation, change);
  }

  rotateRootKey(): Promise<void> {
    return rotateRootKey(this.#foundation);
  }
}
