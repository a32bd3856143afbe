/**
 * Serves HTTP/1.1 and, on TLS, HTTP/2 on one address. It knows nothing of tokens, mounts or envelopes: a function takes
 * each request and gives its answer. Everything that a client could do to hold the server up is limited here.
 */
import type { AddressInfo } from "node:net";
import { checkListMethod } from "./list-method-check.ts";
import { type ListenerOptions, readListenerOptions } from "./listener-options.ts";
import { openListener } from "./node-listener.ts";

export interface HttpRequest {
  /** Names this request in answers and logs. */
  readonly id: string;
  readonly method: string;
  /** Not decoded and not cleaned, in printable ASCII; starts with a slash unless the client sent something odd. */
  readonly rawPath: string;
  /** What follows the question mark, not decoded. */
  readonly query: string;
  /** By its name in lower case; several values are joined by commas, or the first one counts. */
  header(name: string): string | undefined;
  /** Every value that was sent under this name, in lower case; more than one may be an attack. */
  headerValues(name: string): readonly string[];
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** The whole body. Throws `PayloadTooLarge` (413) or `ClientGone`, both of which may be left to the server. */
  body(): Promise<Buffer>;

  /** Of the client, as far as the configured proxies are believed. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly secure: boolean;
  /** In DER form, the client's own first, as it was presented; empty without one. Nobody has checked it. */
  readonly clientCertificates: readonly Buffer[];
  /** Whether the authorities in `tls_client_ca_file` vouch for it. */
  readonly clientVerified: boolean;
  /** Aborts when the client has gone or the request has taken too long. */
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** Without `content-length`, which is always set. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | undefined;
}

/** A rejection is logged and answered with 500 and no detail, unless it is an `ApiError`. */
export type Handle = (request: HttpRequest) => Promise<HttpReply>;

export interface ListenerLog {
  warn(message: string): void;
  error(message: string, error: unknown): void;
  /** Called when an answer is handed to the connection, with the milliseconds since the request's headers came. */
  answered?(request: HttpRequest, status: number, milliseconds: number): void;
}

export interface Listener {
  readonly address: AddressInfo;
  /** How many requests are being worked on. */
  readonly inFlight: number;
  /**
   * Reads the certificates again, for new connections, and takes the headers of answers from the options, which are
   * those that it began with if none are given. Throws, and keeps everything as it was, if something is bad.
   */
  reload(options?: ListenerOptions): Promise<void>;
  /** Stops accepting, lets requests finish for so many seconds, then closes every connection. */
  close(graceSeconds?: number): Promise<void>;
}

const silent: ListenerLog = { warn() {}, error() {} };

/** Throws a sentence for the operator if an option is wrong or the address cannot be had. */
export async function listen(options: ListenerOptions, handle: Handle, log: ListenerLog = silent): Promise<Listener> {
  const settings = readListenerOptions(options);
  await checkListMethod(settings.tls !== undefined);
  return openListener(settings, handle, log);
}
