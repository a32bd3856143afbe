/** What protects the root key while it is stored: the only secret that a server cannot find in its own store. */

export interface Wrapped {
  /** Names the key that wrapped, for seals whose key changes; empty for others. */
  readonly key_id: string;
  readonly bytes: Uint8Array;
}

export interface Unwrapped {
  readonly rootKey: Buffer;
  /** Wrapped by a key that is on its way out: wrap again with the current one. */
  readonly isOutdated: boolean;
}

/** Asynchronous because a seal may have to ask a service elsewhere. */
export interface Seal {
  /** As in configuration files and in `seal-status`. */
  readonly type: string;
  /** `purpose` is authenticated: what was wrapped for one purpose does not unwrap for another. */
  wrap(rootKey: Uint8Array, purpose: string): Promise<Wrapped>;
  /** Throws `SealRefused` when this seal cannot have wrapped these bytes. */
  unwrap(wrapped: Wrapped, purpose: string): Promise<Unwrapped>;
}

/** The seal's key is not the one that wrapped, or the stored bytes were altered. */
export class SealRefused extends Error {
  override readonly name = "SealRefused";
}
