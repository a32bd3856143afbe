/** Collects shares of the unseal key until they open the barrier, or lets a seal that can do so open it. */
import { invalidRequest } from "../../api/errors.ts";
import type { Foundation } from "./foundation.ts";
import { wipe } from "./key-material.ts";
import { parseShare } from "./key-share.ts";
import { openBarrier, openWithRootKey } from "./open-barrier.ts";
import { operationId } from "./operation-id.ts";
import { SealRefused } from "./seal.ts";
import { readSealConfig, requireSealConfig, type SealConfig } from "./seal-config.ts";
import { ShamirSeal } from "./shamir-seal.ts";
import { ShareCollector } from "./share-collector.ts";
import { Turnstile } from "./turnstile.ts";

export interface UnsealRequest {
  readonly key?: string | undefined;
  readonly reset?: boolean | undefined;
  readonly migrate?: boolean | undefined;
}

export class Unsealing {
  readonly #foundation: Foundation;
  readonly #turnstile = new Turnstile();
  readonly #shares = new ShareCollector();
  #nonce = "";

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
  }

  /** How many shares were given, and the name of that attempt, which is empty while there is none. */
  async attempt(): Promise<{ readonly progress: number; readonly nonce: string }> {
    return { progress: this.#shares.count, nonce: this.#nonce };
  }

  /** One share, or (with `reset`) none any more. On an unsealed server a share changes nothing. */
  provide(request: UnsealRequest): Promise<void> {
    return this.#turnstile.run(() => this.#provide(request));
  }

  /** For the start of a server; false when the store is not initialized yet, or when it takes people to unseal it. */
  openAutomatically(): Promise<boolean> {
    return this.#turnstile.run(async () => {
      const { autoSeal, companions, store, barrier } = this.#foundation;
      const found = await readSealConfig(store);
      if (found === undefined) return false;
      this.#checkType(found.config);
      if (!barrier.isSealed) return true;
      const shared = await companions?.rootKey();
      if (shared === "sealed") return false;
      if (shared !== undefined && (await openWithRootKey(this.#foundation, shared))) return true;
      if (autoSeal === undefined) return false;
      await openBarrier(this.#foundation, autoSeal);
      return true;
    });
  }

  /** Resolves when what was under way has ended: it may have opened the barrier after somebody closed it. */
  settled(): Promise<void> {
    return this.#turnstile.run(async () => {});
  }

  reset(): void {
    this.#shares.clear();
    this.#nonce = "";
  }

  async #provide({ key = "", reset = false, migrate = false }: UnsealRequest): Promise<void> {
    const { store, barrier, autoSeal, random } = this.#foundation;
    const { config } = await requireSealConfig(store);
    this.#checkType(config);
    if (migrate) throw invalidRequest("migration from one seal to another is not supported");
    if (reset) {
      if (!barrier.isSealed) throw invalidRequest("vault is unsealed");
      return this.reset();
    }
    if (autoSeal !== undefined) {
      if (!barrier.isSealed) return;
      throw invalidRequest(
        `the seal ${JSON.stringify(autoSeal.type)} opens by itself when the server starts; recovery keys cannot unseal`,
      );
    }
    const share = parseShare(key, config.unseal);
    if (!barrier.isSealed) return wipe(share);
    this.#shares.add(share);
    if (this.#nonce === "") this.#nonce = operationId(random);
    if (this.#shares.count >= config.unseal.threshold) await this.#open();
  }

  /** Right or wrong, the shares are forgotten; if the store fails, giving any of them again tries once more. */
  async #open(): Promise<void> {
    const unsealKey = this.#shares.combine();
    if (unsealKey === undefined) throw this.#wrongShares();
    try {
      await openBarrier(this.#foundation, new ShamirSeal(unsealKey, this.#foundation.random));
    } catch (error) {
      if (error instanceof SealRefused) throw this.#wrongShares();
      throw error;
    } finally {
      wipe(unsealKey);
    }
    this.reset();
  }

  #wrongShares() {
    this.reset();
    return invalidRequest(
      "unseal failed: the key shares are not the right ones, or do not belong together; start again",
    );
  }

  #checkType({ type }: SealConfig): void {
    const { autoSeal } = this.#foundation;
    const configured = autoSeal?.type ?? "shamir";
    if (type === configured) return;
    throw invalidRequest(
      `this store is sealed with the seal ${JSON.stringify(type)}, and the configuration has ${JSON.stringify(configured)}`,
    );
  }
}
