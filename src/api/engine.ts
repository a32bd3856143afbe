/** What a secrets engine or auth method declares, and what the core hands it. */

import type { JsonObject } from "../lib/json.ts";
import type { PageRequest } from "./list-fields.ts";
import type { LockoutRules } from "./lockout.ts";
import type { Network } from "./network.ts";
import type { Outbound } from "./outbound.ts";
import type { Path, RequestInfo } from "./path.ts";
import type { TokenFieldValues } from "./token-fields.ts";

export interface Engine<Services, State = undefined> {
  readonly type: string;
  readonly kind: "secrets" | "auth";
  readonly summary: string;
  readonly paths: readonly Path<Services>[];
  readonly leases?: Readonly<Record<string, LeaseKind<Services>>>;
  readonly jobs?: readonly Job<Services>[];
  /** Parts of the engine that people name, for the catalog. */
  readonly plugins?: readonly EnginePlugin[];
  /**
   * For auth methods: called when a token of a login is renewed, with what the login left in `internal`. Answers the
   * settings that hold now, or refuses by throwing: the role may be gone, or the user. `connection` is the one that
   * asks for the renewal.
   */
  renewLogin?(
    internal: Readonly<Record<string, unknown>>,
    services: Services,
    connection?: Connection,
  ): Promise<TokenFieldValues>;
  /** The name of the role that a login is about, where its body has no field `role` that tells it. */
  loginRole?(body: Readonly<JsonObject>, services: Services): Promise<string | undefined>;
  /** Makes what outlives a request in this process (connection pools, caches of outside things); once per mount. */
  start?(host: Host): State | Promise<State>;
  stop?(state: State): void | Promise<void>;
  /** Builds what handlers work with, over the storage of one transaction; called for each request, so keep it light. */
  services(mount: Mount<State>): Services;
}

export interface EnginePlugin {
  readonly name: string;
  readonly version: string;
  /** Of the file that it was loaded from; undefined for what is part of the server. */
  readonly sha256?: string | undefined;
}

export type Connection = Pick<RequestInfo, "remoteAddress" | "clientCertificates">;

/** One mount as a transaction sees it. */
export interface Mount<State = undefined> {
  readonly storage: Storage;
  readonly host: Host;
  readonly state: State;
  /** By a password policy of the operator, or by the standard rule if its name is empty; refuses an unknown one. */
  generatePassword(policy: string): Promise<string>;
}

/** How to end, or prolong, what a `Leased` reply of this kind handed out. */
export interface LeaseKind<Services> {
  /** Called in the very transaction that makes the lease durable: from then on it is the lease that ends things. */
  registered?(secret: Readonly<Record<string, unknown>>, services: Services): Promise<void>;
  /** May be called again for what is gone already, and must succeed then. */
  revoke(secret: Readonly<Record<string, unknown>>, services: Services): Promise<void>;
  /** Tells the outside world that the lease goes on; may be called again for the same lifetime. */
  renew?(
    secret: Readonly<Record<string, unknown>>,
    services: Services,
    lifetime: { readonly seconds: number; readonly expires: Date },
  ): Promise<void>;
}

/** Work that the core runs on whichever process leads, one run at a time; a failed one is tried again. */
export type Job<Services> = ShortJob<Services> | LongJob<Services>;

interface JobTiming {
  readonly name: string;
  readonly everySeconds: number;
}

/** Each run is one transaction. */
export interface ShortJob<Services> extends JobTiming {
  run(services: Services, tick: { readonly now: Date; readonly signal: AbortSignal }): Promise<void>;
}

/** Takes its time or touches the outside world, and commits in steps. */
export interface LongJob<Services> extends JobTiming {
  work(tick: Tick<Services>): Promise<void>;
}

export interface Tick<Services> {
  readonly now: Date;
  /** Aborted when this process no longer leads. */
  readonly signal: AbortSignal;
  transaction<T>(work: (services: Services) => Promise<T>): Promise<T>;
}

export interface Host {
  readonly mount: MountInfo;
  /** The namespace that the mount is in; its path is empty for the root, and else ends in a slash. */
  readonly namespace: { readonly id: string; readonly path: string };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly metrics: EngineMetrics;
  /** Missing where nobody may be reached but over `outbound`. */
  readonly network?: Network | undefined;
  /** Accounts of ACME need a binding on every mount, whatever its settings say. */
  readonly isPublicAcmeDisabled?: boolean | undefined;
}

/** What an engine counts, told apart by its mount; gone with it. */
export interface EngineMetrics {
  /** Asked for when somebody reads it. Declaring it again replaces it. */
  gauge(name: string, help: string, value: () => number): void;
  /** By convention of those who read it, its name ends in `_total`. */
  count(name: string, help: string, by?: number): void;
}

export interface MountInfo {
  readonly path: string;
  readonly type: string;
  readonly accessor: string;
  readonly options: Readonly<Record<string, string>>;
  readonly defaultLeaseSeconds: number;
  readonly maxLeaseSeconds: number;
  /** When users of an auth method are locked out; the standard rules if not set. */
  readonly lockout?: LockoutRules | undefined;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Random {
  bytes(count: number): Uint8Array;
}

export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/**
 * Bytes under keys inside the mount's own encrypted prefix, as one transaction sees them. What is read is remembered
 * and what is written is held back, until all of it is committed at once; a conflict runs the handler again.
 */
export interface Storage {
  get(key: string): Promise<Uint8Array | undefined>;
  /** The parsed value, kept beside the cached bytes for as long as they are current: shared, so never change it. */
  read<T>(key: string, parse: (bytes: Uint8Array) => T): Promise<T | undefined>;
  put(key: string, value: Uint8Array): void;
  delete(key: string): void;
  /** Names one level below `prefix`, which is empty or ends in a slash. */
  list(prefix: string, page?: PageRequest): Promise<string[]>;
}

/** Ties the types of a declaration together. */
export const engine = <Services, State = undefined>(declaration: Engine<Services, State>) => declaration;

// biome-ignore lint/suspicious/noExplicitAny: one list holds engines of every services and state type.
export type AnyEngine = Engine<any, any>;

/** An engine whose code is read when it is first mounted: a server pays only for what it uses. */
export interface EngineSource {
  readonly type: string;
  readonly kind: "secrets" | "auth";
  load(): Promise<AnyEngine>;
}
