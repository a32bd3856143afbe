/**
 * The contract of a store: the only truth, shared by every process that opened it.
 * Values are opaque bytes (the barrier encrypts above this line); keys are `/`-separated UTF-8 paths.
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
  readonly deletes: ReadonlySet<string>;
}

export interface Page {
  /** Names after this one only; it need not exist. */
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
   * Ends when `work` ends or `until` aborts.
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

export class KeyTooLong extends Error {
  override readonly name = "KeyTooLong";

  constructor(bytes: number, most: number) {
    super(`the name is too long: ${bytes} bytes with its prefix, and the store takes ${most}`);
  }
}
