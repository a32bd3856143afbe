/**
 * New keys that are made and perhaps shown to their holders, but in force only once applied. Applying again what is
 * applied already changes nothing: when a commit fails, it may have happened all the same, and the shares must not
 * get lost with the answer.
 */
import { timingSafeEqual } from "node:crypto";
import { ApiError } from "../../api/errors.ts";
import { keyDigest } from "./authority.ts";
import type { Foundation } from "./foundation.ts";
import { newKey, wipe } from "./key-material.ts";
import { wasWrappedBy } from "./root-key-record.ts";
import { replaceRootKey, rotateRootKey } from "./rotation.ts";
import { encodeSealConfig, type Quorum } from "./seal-config.ts";
import { splitSecret } from "./shamir.ts";
import { ShamirSeal } from "./shamir-seal.ts";
import { storedAt } from "./stored-at.ts";

export interface KeyChange {
  readonly shares: readonly Buffer[];
  /** Whether this is the new key. */
  isNewKey(key: Uint8Array): boolean;
  apply(): Promise<void>;
  wipe(): void;
}

const superseded = () =>
  new ApiError(400, "the keys were changed by another operation meanwhile; this one was canceled, start again");

/** A new unseal key with new shares, and a new root key; owns `oldKey`, whose shares authorized it. */
export class UnsealKeyChange implements KeyChange {
  readonly shares: readonly Buffer[];
  readonly #foundation: Foundation;
  readonly #quorum: Quorum;
  readonly #oldKey: Buffer;
  readonly #newKey: Buffer;

  constructor(foundation: Foundation, quorum: Quorum, oldKey: Buffer) {
    const { random } = foundation;
    this.#foundation = foundation;
    this.#quorum = quorum;
    this.#oldKey = oldKey;
    this.#newKey = newKey(random);
    this.shares = splitSecret(this.#newKey, quorum.shares, quorum.threshold, random);
  }

  isNewKey(key: Uint8Array): boolean {
    return timingSafeEqual(key, this.#newKey);
  }

  apply(): Promise<void> {
    const { store, barrier, keyrings, random } = this.#foundation;
    return keyrings.change(async (draft) => {
      const wrapped = await store.get(storedAt.rootKey);
      if (wrapped === undefined) throw superseded();
      const seal = new ShamirSeal(this.#newKey, random);
      if (await wasWrappedBy(seal, wrapped.value)) return {};
      if (!(await wasWrappedBy(new ShamirSeal(this.#oldKey, random), wrapped.value))) throw superseded();
      draft.sealConfig = { ...draft.sealConfig, unseal: this.#quorum };
      const { expect, puts } = await replaceRootKey(this.#foundation, draft, seal, wrapped.version);
      puts.set(storedAt.config, encodeSealConfig(draft.sealConfig));
      puts.set(storedAt.unsealKey, barrier.encrypt(storedAt.unsealKey, this.#newKey));
      return { expect, puts };
    });
  }

  wipe(): void {
    wipe(this.#oldKey, this.#newKey, ...this.shares);
  }
}

/** A new recovery key with new shares. `oldKey` is undefined when there was none; owns it. */
export class RecoveryKeyChange implements KeyChange {
  readonly shares: readonly Buffer[];
  readonly #foundation: Foundation;
  readonly #quorum: Quorum;
  readonly #oldDigest: Buffer | undefined;
  readonly #newKey: Buffer;

  constructor(foundation: Foundation, quorum: Quorum, oldKey: Buffer | undefined) {
    const { random } = foundation;
    this.#foundation = foundation;
    this.#quorum = quorum;
    this.#oldDigest = oldKey === undefined ? undefined : keyDigest(oldKey);
    if (oldKey !== undefined) wipe(oldKey);
    this.#newKey = newKey(random);
    this.shares = splitSecret(this.#newKey, quorum.shares, quorum.threshold, random);
  }

  isNewKey(key: Uint8Array): boolean {
    return timingSafeEqual(key, this.#newKey);
  }

  apply(): Promise<void> {
    const { store, barrier, keyrings } = this.#foundation;
    const digest = keyDigest(this.#newKey);
    return keyrings.change(async (draft) => {
      const entry = await store.get(storedAt.recoveryKey);
      const stored = entry && barrier.decrypt(storedAt.recoveryKey, entry.value);
      if (sameDigest(stored, digest)) return {};
      if (!sameDigest(stored, this.#oldDigest)) throw superseded();
      draft.sealConfig = { ...draft.sealConfig, recovery: this.#quorum };
      return {
        expect: new Map([[storedAt.recoveryKey, entry?.version]]),
        puts: new Map([
          [storedAt.recoveryKey, barrier.encrypt(storedAt.recoveryKey, digest)],
          [storedAt.config, encodeSealConfig(draft.sealConfig)],
        ]),
      };
    });
  }

  wipe(): void {
    wipe(this.#newKey, ...this.shares);
  }
}

/** Where the seal opens by itself there is nothing to share: only the root key changes. */
export class RootKeyChange implements KeyChange {
  readonly shares = [];
  readonly #foundation: Foundation;

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
  }

  isNewKey(): boolean {
    return false;
  }

  apply(): Promise<void> {
    return rotateRootKey(this.#foundation);
  }

  wipe(): void {}
}

const sameDigest = (left: Uint8Array | undefined, right: Uint8Array | undefined) =>
  left === undefined || right === undefined ? left === right : timingSafeEqual(left, right);
