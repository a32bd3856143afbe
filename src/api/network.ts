/** How engines reach names and addresses of strangers, where a call over HTTP with verified TLS is not what is asked for. */
import type { Socket } from "node:net";

export interface Network {
  /** The system's own, or the one at `server` (`address:port`). */
  resolver(server?: string): Resolver;
  /** A connection to that very address: its name was looked up, and what was found judged, before. */
  connect(target: Target): Promise<Socket>;
}

export interface Target {
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Each throws a `LookupError` when there is no answer, and finds nothing where there is nothing. */
export interface Resolver {
  addresses(name: string, signal: AbortSignal): Promise<readonly string[]>;
  texts(name: string, signal: AbortSignal): Promise<readonly string[]>;
  /** CAA records of this very name. */
  authorities(name: string, signal: AbortSignal): Promise<readonly AuthorityRecord[]>;
}

export interface AuthorityRecord {
  readonly isCritical: boolean;
  readonly tag: string;
  readonly value: string;
}

export class LookupError extends Error {
  override readonly name = "LookupError";
}
