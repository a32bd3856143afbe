/**
 * Keys that an issuer publishes. They are fetched when first needed, again when a token cannot be verified with those at
 * hand (the issuer may have rotated them), and in the background when they are old. Whoever sends bad tokens can cause a
 * few fetches, and no more: fetches are counted.
 */
import type { Clock, Log } from "../../api/engine.ts";
import { parseJwkSet } from "../../lib/jws/jwk-set.ts";
import type { VerificationKey } from "../../lib/jws/key.ts";
import type { Jws } from "../../lib/jws/message.ts";
import { isSignedByAny, type KeySource, KeySourceError } from "./key-source.ts";

const refreshAfterMs = 600_000;
/** That many fetches at once, and one more for each of these intervals. */
const burst = 5;
const refillMs = 10_000;

interface Fetched {
  readonly keys: readonly VerificationKey[];
  readonly at: number;
  /** Counts fetches, so that who waits can tell whether the keys are newer than those it tried. */
  readonly round: number;
}

/** Fetches the text of a key set. Throws with a reason that may be shown to callers. */
export type FetchKeySet = () => Promise<string>;

export class RemoteKeys implements KeySource {
  readonly #fetch: FetchKeySet;
  readonly #clock: Clock;
  readonly #log: Log;
  #current: Fetched | undefined;
  #underWay: Promise<Fetched> | undefined;
  #allowance = burst;
  #refilledAt: number;

  constructor(fetch: FetchKeySet, clock: Clock, log: Log) {
    this.#fetch = fetch;
    this.#clock = clock;
    this.#log = log;
    this.#refilledAt = clock.now();
  }

  async requireSigned(jws: Jws): Promise<void> {
    const first = this.#current ?? (await this.#refetch());
    if (!first) throw new KeySourceError("fetching keys failed a moment ago; try again in some seconds");
    if (isSignedByAny(jws, named(first.keys, jws.header.kid))) {
      this.#refreshOld(first);
      return;
    }
    const second = await this.#newer(first);
    if (second && isSignedByAny(jws, named(second.keys, jws.header.kid))) return;
    throw new KeySourceError("failed to verify id token signature");
  }

  async check(): Promise<void> {
    if (this.#current) return;
    if (!(await this.#refetch()))
      throw new KeySourceError("fetching keys failed a moment ago; try again in some seconds");
  }

  /** Keys that came after those that were tried; undefined when fetching has to wait. */
  async #newer(tried: Fetched): Promise<Fetched | undefined> {
    if (this.#current && this.#current.round > tried.round) return this.#current;
    try {
      return await this.#refetch();
    } catch (error) {
      if (!(error instanceof KeySourceError)) throw error;
      this.#log.warn("fetching keys failed", { reason: error.message });
      return undefined;
    }
  }

  #refreshOld(current: Fetched): void {
    if (this.#underWay || this.#clock.now() - current.at < refreshAfterMs) return;
    this.#refetch().catch((error: unknown) => {
      this.#log.warn("refreshing keys failed", { reason: error instanceof Error ? error.message : String(error) });
    });
  }

  /** Everybody who needs keys at once waits for the same fetch. */
  async #refetch(): Promise<Fetched | undefined> {
    if (this.#underWay) return this.#underWay;
    if (!this.#takeAllowance()) return undefined;
    this.#underWay = this.#load();
    try {
      return await this.#underWay;
    } finally {
      this.#underWay = undefined;
    }
  }

  async #load(): Promise<Fetched> {
    const keys = parsedKeys(await this.#fetch());
    this.#current = { keys, at: this.#clock.now(), round: (this.#current?.round ?? 0) + 1 };
    return this.#current;
  }

  #takeAllowance(): boolean {
    const now = this.#clock.now();
    const gained = Math.floor((now - this.#refilledAt) / refillMs);
    if (gained > 0) {
      this.#allowance = Math.min(burst, this.#allowance + gained);
      this.#refilledAt += gained * refillMs;
    }
    if (this.#allowance <= 0) return false;
    this.#allowance -= 1;
    return true;
  }
}

/** A token without a key id may be signed with any key, and a key without one may have signed any token. */
const named = (keys: readonly VerificationKey[], kid: string | undefined) =>
  kid === undefined || kid === "" ? keys : keys.filter((key) => key.kid === undefined || key.kid === kid);

function parsedKeys(text: string): readonly VerificationKey[] {
  try {
    return parseJwkSet(text);
  } catch (error) {
    throw new KeySourceError(`fetching keys: ${error instanceof Error ? error.message : "not a key set"}`);
  }
}
