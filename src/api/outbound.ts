/** How engines speak HTTP to the world outside: always with a deadline, a size limit, and TLS that is verified. */

export interface Outbound {
  /** Answers whatever the other side says, also a refusal; throws an `OutboundError` when it says nothing. */
  request(request: OutboundRequest): Promise<OutboundReply>;
}

export interface OutboundRequest {
  readonly url: string;
  /** GET unless said otherwise. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly tls?: OutboundTls;
  /** For the whole exchange; 10 seconds unless said otherwise. */
  readonly timeoutMs?: number;
  /** Of the answer's body; 1 MiB unless said otherwise. */
  readonly maxBytes?: number;
  /** How many redirects to the same scheme, host and port are followed; none unless said otherwise. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundTls {
  /** PEM of the authorities to trust, in place of the system's own. */
  readonly ca?: string | readonly string[];
  /** PEM of the client's certificate and key. */
  readonly cert?: string;
  readonly key?: string;
  /** Asked for and verified in place of the URL's host. */
  readonly serverName?: string;
  /** A certificate for any of these names is as good as one for the host. */
  readonly allowedServerNames?: readonly string[];
  /** Trusts any certificate. */
  readonly insecure?: boolean;
}

export interface OutboundReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The other side could not be reached, did not answer in time, or answered too much. Carries no URL and no secret. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  /** Node's own word for it, such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}
