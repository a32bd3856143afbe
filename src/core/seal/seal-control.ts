/** Everything an operator can do with the seal of one process, put together. */
import type { Clock, Random } from "../../api/engine.ts";
import type { Store } from "../storage/store.ts";
import { Barrier } from "./barrier.ts";
import {
  type Ceremonies,
  ceremoniesElsewhere,
  type GenerateRootCeremony,
  type RekeyCeremony,
  takeStep,
} from "./ceremonies.ts";
import type { Companions, Step } from "./companions.ts";
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
  /** Other processes of this node that share the state of the seal; undefined where this one is alone. */
  readonly companions?: Companions | undefined;
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

const noAttempt = { progress: 0, nonce: "" };

export class SealControl {
  readonly barrier: Barrier;
  readonly rekey: { readonly root: RekeyCeremony; readonly recovery: RekeyCeremony };
  readonly generateRoot: GenerateRootCeremony;
  readonly #foundation: Foundation;
  /** With the progress that is kept in this process. */
  readonly #here: Ceremonies & {
    readonly unseal: Unsealing;
    readonly "rekey-root": Rekey;
    readonly "rekey-recovery": Rekey;
  };
  /** Wherever the progress is kept. */
  readonly #ceremonies: Ceremonies;
  readonly #onSealed: (reason: string) => void;
  /** Generation of the root key that the other processes of this node were told of. */
  #told: number | undefined;

  constructor({ store, autoSeal, clock, random, rootTokens, companions, onSealed = () => {} }: SealParts) {
    this.barrier = new Barrier(random);
    const keyrings = new KeyringStore(store, this.barrier, random);
    this.#foundation = { store, barrier: this.barrier, keyrings, autoSeal, companions, clock, random };
    this.#here = {
      unseal: new Unsealing(this.#foundation),
      "rekey-root": new Rekey(this.#foundation, "root"),
      "rekey-recovery": new Rekey(this.#foundation, "recovery"),
      "generate-root": new GenerateRoot(this.#foundation, rootTokens),
    };
    this.#ceremonies = companions ? ceremoniesElsewhere(companions) : this.#here;
    this.rekey = { root: this.#ceremonies["rekey-root"], recovery: this.#ceremonies["rekey-recovery"] };
    this.generateRoot = this.#ceremonies["generate-root"];
    this.#onSealed = onSealed;
  }

  async status(): Promise<SealStatus> {
    const { store, autoSeal } = this.#foundation;
    const config = (await readSealConfig(store))?.config;
    const { threshold, shares } = config?.unseal ?? noQuorum;
    const { progress, nonce } = this.barrier.isSealed ? await this.#ceremonies.unseal.attempt() : noAttempt;
    return {
      type: config?.type ?? sealType(this.#foundation),
      initialized: config !== undefined,
      sealed: this.barrier.isSealed,
      t: threshold,
      n: shares,
      progress,
      nonce,
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
    await this.#ceremonies.unseal.provide(request);
    return this.status();
  }

  /** For the process that keeps the progress of its node: a step that some process of the node was asked for. */
  async take(step: Step): Promise<unknown> {
    const answer = await takeStep(this.#here, step);
    await this.#tell();
    return answer;
  }

  /** True when the barrier is open; false when it takes people, or an initialization, to open it. */
  async openAutomatically(): Promise<boolean> {
    const isOpen = await this.#here.unseal.openAutomatically();
    await this.#tell();
    return isOpen;
  }

  /** Keys are gone from this node when this returns, and so is what was under way; other nodes go on. */
  async seal(): Promise<void> {
    await this.sealHere();
    await this.#foundation.companions?.sealed();
  }

  /** In this process alone. */
  async sealHere(reason = "sealed on request"): Promise<void> {
    this.#close(reason);
    const { unseal, "rekey-root": root, "rekey-recovery": recovery, "generate-root": generateRoot } = this.#here;
    unseal.reset();
    await Promise.all([root.abandon(), recovery.abandon(), generateRoot.cancel(), unseal.settled()]);
    this.#close(reason);
  }

  #close(reason: string): void {
    const wasSealed = this.barrier.isSealed;
    this.barrier.close();
    this.#told = undefined;
    if (!wasSealed) this.#onSealed(reason);
  }

  /** Others of this node open with the root key too; who is started later needs the one that is in force then. */
  async #tell(): Promise<void> {
    const { companions } = this.#foundation;
    if (companions === undefined || this.barrier.isSealed) return;
    const { rootKey } = this.barrier.keyring;
    if (rootKey.generation === this.#told) return;
    this.#told = rootKey.generation;
    await companions.opened(rootKey);
  }

  /**
   * Takes over what other processes did to the keys. Call it on `UnknownTerm`, when the store reports a change below
   * `core/seal/`, and now and then. A process that missed a change of the root key opens again, or is sealed.
   */
  async reload(): Promise<void> {
    try {
      await this.#foundation.keyrings.reload();
      await this.#tell();
    } catch (error) {
      if (!(error instanceof RootKeyReplaced)) throw error;
      await this.sealHere(error.message);
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

  async rotateRootKey(): Promise<void> {
    await rotateRootKey(this.#foundation);
    await this.#tell();
  }
}
