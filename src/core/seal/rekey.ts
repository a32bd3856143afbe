/**
 * Gives out new key shares, of the unseal key or of the recovery key, when enough holders of the old ones agree; on
 * request only after holders of the new ones have shown that they have them.
 * Progress is kept in this process alone, and is gone when it is sealed or ends: the old shares then stay good.
 */
import { ApiError, invalidRequest, sealed } from "../../api/errors.ts";
import { authorityQuorum, requireAuthority } from "./authority.ts";
import type { Foundation } from "./foundation.ts";
import { type KeyChange, RecoveryKeyChange, RootKeyChange, UnsealKeyChange } from "./key-change.ts";
import { wipe } from "./key-material.ts";
import { parseShare, shareTexts } from "./key-share.ts";
import { operationId } from "./operation-id.ts";
import type {
  RekeyRequest,
  RekeyResult,
  RekeyStatus,
  ShareRequest,
  VerificationResult,
  VerificationStatus,
} from "./rekey-replies.ts";
import { checkQuorum, type Quorum, refusePgp } from "./seal-config.ts";
import { ShareCollector } from "./share-collector.ts";
import { Turnstile } from "./turnstile.ts";

export type RekeyTarget = "root" | "recovery";

interface Operation {
  readonly nonce: string;
  readonly quorum: Quorum;
  readonly isVerified: boolean;
  /** Of the keys that authorize this; it is about to change. */
  authority: Quorum;
  readonly shares: ShareCollector;
  /** Once enough shares were given. */
  change?: KeyChange;
  /** Once the new shares were shown and must be proved. */
  verification?: { nonce: string; readonly shares: ShareCollector; passed: boolean };
}

export class Rekey {
  readonly #foundation: Foundation;
  readonly #target: RekeyTarget;
  readonly #turnstile = new Turnstile();
  #operation: Operation | undefined;

  constructor(foundation: Foundation, target: RekeyTarget) {
    this.#foundation = foundation;
    this.#target = target;
  }

  async status(): Promise<RekeyStatus> {
    this.#requireReady();
    const { threshold } = await authorityQuorum(this.#foundation);
    const operation = this.#operation;
    return {
      nonce: operation?.nonce ?? "",
      started: operation !== undefined,
      t: operation?.quorum.threshold ?? 0,
      n: operation?.quorum.shares ?? 0,
      progress: operation?.shares.count ?? 0,
      required: threshold,
      pgp_fingerprints: null,
      backup: false,
      verification_required: operation?.isVerified ?? false,
      ...(operation?.verification && { verification_nonce: operation.verification.nonce }),
    };
  }

  /**
   * `isPrivileged` says that the caller proved the right to do this without shares: then a first recovery key is made
   * at once, there being nobody to ask.
   */
  start(request: RekeyRequest, isPrivileged: boolean): Promise<RekeyStatus | RekeyResult> {
    return this.#turnstile.run(() => this.#start(request, isPrivileged));
  }

  update({ key = "", nonce = "" }: ShareRequest): Promise<RekeyStatus | RekeyResult> {
    return this.#turnstile.run(() => this.#update(key, nonce));
  }

  async verificationStatus(): Promise<VerificationStatus> {
    this.#requireReady();
    const { quorum, verification } = this.#require();
    return {
      nonce: verification?.nonce ?? "",
      started: verification !== undefined,
      t: quorum.threshold,
      n: quorum.shares,
      progress: verification?.shares.count ?? 0,
    };
  }

  verify({ key = "", nonce = "" }: ShareRequest): Promise<VerificationStatus | VerificationResult> {
    return this.#turnstile.run(() => this.#verify(key, nonce));
  }

  /** Forgets which new shares were proved, but not the new shares. */
  restartVerification(): Promise<VerificationStatus> {
    return this.#turnstile.run(async () => {
      this.#requireReady();
      const { verification } = this.#require();
      if (verification === undefined) throw invalidRequest("no rekey verification in progress");
      verification.shares.clear();
      verification.passed = false;
      verification.nonce = operationId(this.#foundation.random);
      return this.verificationStatus();
    });
  }

  /** With a nonce only the operation of that nonce; without, whichever there is. */
  cancel(nonce?: string): Promise<void> {
    return this.#turnstile.run(async () => {
      if (this.#operation === undefined) return;
      if (nonce !== undefined && nonce !== this.#operation.nonce) throw wrongNonce();
      const { change, verification } = this.#operation;
      if (change !== undefined && verification === undefined) throw outcomeUnknown();
      this.#end();
    });
  }

  /** For sealing: waits for what is under way, and forgets everything. */
  abandon(): Promise<void> {
    return this.#turnstile.run(async () => this.#end());
  }

  async #start(request: RekeyRequest, isPrivileged: boolean): Promise<RekeyStatus | RekeyResult> {
    this.#requireReady();
    const { autoSeal, random } = this.#foundation;
    refusePgp({ pgp_keys: request.pgp_keys });
    const isVerified = request.require_verification ?? false;
    const isUnshared = this.#target === "root" && autoSeal !== undefined;
    if (isUnshared && isVerified) {
      throw invalidRequest("require_verification is not possible here: with an automatic seal there are no new shares");
    }
    const quorum = isUnshared
      ? { shares: 1, threshold: 1 }
      : { shares: request.secret_shares ?? 0, threshold: request.secret_threshold ?? 0 };
    checkQuorum(this.#target === "recovery" ? "recovery" : "rekey seal", quorum);
    if (this.#operation !== undefined) return this.#startAgain(this.#operation, isPrivileged);
    const authority = await authorityQuorum(this.#foundation);
    const isFirst = authority.threshold === 0 && this.#target === "recovery" && isPrivileged;
    if (authority.threshold === 0 && !isFirst) throw noRecoveryKey();
    const operation = { nonce: operationId(random), quorum, isVerified, authority, shares: new ShareCollector() };
    this.#operation = operation;
    if (!isFirst) return this.status();
    return this.#agreed(operation, new RecoveryKeyChange(this.#foundation, quorum, undefined));
  }

  /** The first recovery keys need no shares: if the store failed, who may make them without may also finish. */
  #startAgain({ change, verification, authority }: Operation, isPrivileged: boolean): Promise<RekeyResult> {
    const isUnfinished = change !== undefined && verification === undefined && authority.threshold === 0;
    if (!isUnfinished || !isPrivileged) throw invalidRequest("rekey already in progress");
    return this.#agreed(this.#require(), change);
  }

  async #update(key: string, nonce: string): Promise<RekeyStatus | RekeyResult> {
    this.#requireReady();
    const operation = this.#require();
    if (operation.verification !== undefined) {
      throw invalidRequest("the new keys are made already; they must be verified before they take effect");
    }
    if (nonce !== operation.nonce) throw wrongNonce();
    if (operation.change !== undefined) return this.#tryAgain(operation, operation.change, key);
    operation.authority = await authorityQuorum(this.#foundation);
    const { authority, shares } = operation;
    const isNew = shares.add(parseShare(key, authority));
    // When there are enough already, the store failed before they were checked: then any of them tries once more.
    if (!isNew && shares.count < authority.threshold) throw alreadyGiven();
    if (shares.count < authority.threshold) return this.status();
    const oldKey = await requireAuthority(this.#foundation, shares, "rekey");
    return this.#agreed(operation, this.#newChange(operation.quorum, oldKey));
  }

  /** Enough shares were given, and the store failed: only who has one of them may try again and see the result. */
  async #tryAgain(operation: Operation, change: KeyChange, key: string): Promise<RekeyResult> {
    const share = parseShare(key, operation.authority);
    const isHolder = operation.shares.has(share);
    wipe(share);
    if (!isHolder) throw invalidRequest("this key share was not among those that were given for this operation");
    return this.#agreed(operation, change);
  }

  #newChange(quorum: Quorum, oldKey: Buffer): KeyChange {
    if (this.#target === "recovery") return new RecoveryKeyChange(this.#foundation, quorum, oldKey);
    if (this.#foundation.autoSeal === undefined) return new UnsealKeyChange(this.#foundation, quorum, oldKey);
    wipe(oldKey);
    return new RootKeyChange(this.#foundation);
  }

  async #agreed(operation: Operation, change: KeyChange): Promise<RekeyResult> {
    operation.change = change;
    const texts = shareTexts(change.shares);
    if (operation.isVerified) {
      operation.verification = {
        nonce: operationId(this.#foundation.random),
        shares: new ShareCollector(),
        passed: false,
      };
      operation.shares.clear();
    } else {
      await this.#apply(change);
    }
    return {
      nonce: operation.nonce,
      complete: true,
      keys: texts.hex,
      keys_base64: texts.base64,
      pgp_fingerprints: null,
      backup: false,
      verification_required: operation.isVerified,
      ...(operation.verification && { verification_nonce: operation.verification.nonce }),
    };
  }

  async #verify(key: string, nonce: string): Promise<VerificationStatus | VerificationResult> {
    this.#requireReady();
    const { quorum, change, verification } = this.#require();
    if (change === undefined || verification === undefined) {
      throw invalidRequest("no rekey verification in progress");
    }
    if (nonce !== verification.nonce) throw wrongNonce();
    const share = parseShare(key, quorum);
    const isNew = verification.shares.add(share);
    if (!isNew && !verification.passed) throw alreadyGiven();
    if (verification.shares.count < quorum.threshold) return this.verificationStatus();
    if (!verification.passed) this.#check(verification.shares, change);
    verification.passed = true;
    await this.#apply(change);
    return { nonce, complete: true };
  }

  #check(shares: ShareCollector, change: KeyChange): void {
    const combined = shares.combine();
    const isRight = combined !== undefined && change.isNewKey(combined);
    if (combined !== undefined) wipe(combined);
    if (isRight) return;
    shares.clear();
    throw invalidRequest("rekey verification failed: these are not the new key shares; progress was reset");
  }

  /** Ends the operation, unless the store failed: then it may be tried again, and no share is lost. */
  async #apply(change: KeyChange): Promise<void> {
    try {
      await change.apply();
    } catch (error) {
      if (error instanceof ApiError) {
        this.#end();
        throw error;
      }
      // The commit may have happened all the same: applying again tells, and then changes nothing.
      await change.apply().catch(() => {
        throw outcomeUnknown(error);
      });
    }
    this.#end();
  }

  #end(): void {
    const operation = this.#operation;
    this.#operation = undefined;
    operation?.shares.clear();
    operation?.verification?.shares.clear();
    operation?.change?.wipe();
  }

  #require(): Operation {
    if (this.#operation !== undefined) return this.#operation;
    throw invalidRequest(`no ${this.#target === "root" ? "barrier" : "recovery"} rekey in progress`);
  }

  #requireReady(): void {
    const { barrier, autoSeal } = this.#foundation;
    if (barrier.isSealed) throw sealed();
    if (this.#target === "recovery" && autoSeal === undefined) throw invalidRequest("recovery rekeying not supported");
  }
}

const wrongNonce = () => invalidRequest("incorrect nonce supplied; it must be the one of the operation in progress");

const alreadyGiven = () => invalidRequest("given key has already been provided during this generation operation");

const noRecoveryKey = () =>
  invalidRequest(
    "this server has no recovery key whose shares could authorize this; make one with rotate/recovery first",
  );

const outcomeUnknown = (cause?: unknown) =>
  new ApiError(
    503,
    "the store failed, and it is not known whether the new keys are in force: " +
      "repeat the last call to finish, and do not seal or stop this server before",
    { cause },
  );
