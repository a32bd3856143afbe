/** Where the keys come from that tokens are verified with. */
import { JwsError } from "../../lib/jws/error.ts";
import type { VerificationKey } from "../../lib/jws/key.ts";
import type { Jws } from "../../lib/jws/message.ts";
import { algorithmOf, isSignedBy, suits } from "../../lib/jws/verify.ts";

export interface KeySource {
  /** Throws a `KeySourceError` unless one of the keys made the signature. */
  requireSigned(jws: Jws): Promise<void>;
  /** Throws a `KeySourceError` if no keys can be had. */
  check(): Promise<void>;
}

export class KeySourceError extends Error {
  override readonly name = "KeySourceError";
}

/** Keys that the operator wrote down. Tried in order, whatever key id the token names. */
export class StaticKeys implements KeySource {
  readonly #keys: readonly VerificationKey[];

  constructor(keys: readonly VerificationKey[]) {
    this.#keys = keys;
  }

  async requireSigned(jws: Jws): Promise<void> {
    if (isSignedByAny(jws, this.#keys)) return;
    throw new KeySourceError("no known key successfully validated the token signature");
  }

  async check(): Promise<void> {}
}

export function isSignedByAny(jws: Jws, keys: readonly VerificationKey[]): boolean {
  try {
    const algorithm = algorithmOf(jws);
    return keys.some((key) => suits(key, algorithm) && isSignedBy(jws, key));
  } catch (error) {
    if (error instanceof JwsError) return false;
    throw error;
  }
}
