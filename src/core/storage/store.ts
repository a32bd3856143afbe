/**
 * The contract of a store: the only truth, shared by every process that opened it.
 * Values are opaque bytes (the barrier encrypts above this line); keys are `/`-separated UTF-8 paths.
 * What lies below `store/` belongs to the store itself: who leads, and who is alive. Nothing there is secret.
 */

/** Changes with every write of its key, and no two writes of one key share one. */
export type Version = number;

export interface Entry {
  readonly value: Uint8Array;
  readonly version: Version;
}

/** One atomic change: everything in it happens, or nothing does. */
export interface Batch {
  /** What the writer believes: each key still has this version, or (undefined) does not exist. */
  readonly expect: ReadonlyMap<string, Version | undefined>;
  readonly puts: ReadonlyMap<string, Uint8Array>;
  /** A key that does not exist may be deleted; one that is also in `puts` is put. */
  readonly deletes: ReadonlySet<string>;
}

export interface Page {
  /** Names after this one only, in byte order; it need not exist. */
  readonly after?: string | undefined;
  /** At most so many names; undefined for all. */
  readonly limit?: number | undefined;
}

/** A point in the history of a store, comparable only by the store that gave it. */
export type Point = string;

export interface Changes {
  readonly at: Point;
  /** Keys written or deleted after `since`, perhaps with some from before; undefined when too much happened to tell. */
  readonly keys: readonly string[] | undefined;
}

export interface Leadership {
  /** Grows with each new holder of this name. */
  readonly epoch: number;
  /**
   * Key and version that prove the leadership is still held: a leader's commits put them into `expect`,
   * so that one who slept through the loss of its lead cannot write.
   */
  readonly fence: { readonly key: string; readonly version: Version };
  /** Aborts when the lead is lost or the store closes. */
  readonly signal: AbortSignal;
}

export interface Store {
  /** As in configuration files: `lmdb`, `postgresql`, `inmem`. */
  readonly type: string;
  /** Longest key in UTF-8 bytes; a longer one is refused with `KeyTooLong`. */
  readonly maxKeyBytes: number;

  /** As fresh as the store: every commit that was acknowledged before this call is seen. */
  get(key: string): Promise<Entry | undefined>;

  /**
   * Names one level below `prefix` (which is empty or ends in `/`), in byte order; a name that has more below it
   * appears with a trailing `/`. Costs what the page costs, not what lies below the prefix.
   */
  list(prefix: string, page?: Page): Promise<string[]>;

  /** Returns once the change is durable. Throws `Conflict`, having changed nothing, when an expectation is wrong. */
  commit(batch: Batch): Promise<void>;

  /** Every commit that was acknowledged before this call is covered by the answer. `since` undefined: just the point. */
  changes(since: Point | undefined): Promise<Changes>;

  /**
   * Runs `work` while this caller is the one leader of `name` among all processes, waiting for its turn first.
   * Ends when `work` has ended, or when `until` aborts before its turn came. When `until` aborts later, `signal` does
   * too, and the lead is given to the next one once `work` has ended.
   */
  lead(name: string, work: (leadership: Leadership) => Promise<void>, until: AbortSignal): Promise<void>;

  close(): Promise<void>;
}

/** Another writer was faster; reading again and deciding anew is safe. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  /** The first key whose expectation was wrong. */
  readonly key: string;

  constructor(key: string) {
    super(`another writer changed ${JSON.stringify(key)} first`);
    this.key = key;
  }
}

/** The store cannot be used now: it is away, full, closed or not allowed. The message says which, and holds no secret. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** True when a commit may or may not have happened: running it again is not safe. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, options: { cause?: unknown; isOutcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isOutcomeUnknown = options.isOutcomeUnknown ?? false;
  }
}

/** The name cannot be a key: it is empty or has no UTF-8 form. */
export class KeyMalformed extends Error {
  override readonly name = "KeyMalformed";

  constructor(key: string) {
    super(key === "" ? "the name is empty" : "the name holds half of a surrogate pair, which has no UTF-8 form");
  }
}

export class KeyTooLong extends Error {
  override readonly name = "KeyTooLong";

  constructor(bytes: number, most: number) {
    super(`the name is too long: ${bytes} bytes with its prefix, and the store takes ${most}`);
  }
}
