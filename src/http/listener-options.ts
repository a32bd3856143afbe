/** What an operator can say about a listener, with the defaults, checked before anything is opened. */
import { parseCidr } from "../lib/cidr.ts";
import type { ForwardedForSettings } from "./forwarded-for.ts";
import type { ProxyProtocolSettings } from "./proxy-protocol.ts";
import { type HeadersByStatus, ResponseHeaders } from "./response-headers.ts";
import type { TlsSettings } from "./tls.ts";

/** The names are those of the configuration file. Times are in seconds, sizes in bytes. */
export interface ListenerOptions {
  /** `127.0.0.1:8200`, `[::1]:8200`, `:8200` for all addresses; port 0 for any free one. */
  readonly address: string;

  /** Set where several processes listen on this address. */
  readonly sharing?: PortSharing | undefined;

  readonly tls_disable?: boolean | undefined;
  readonly tls_cert_file?: string | undefined;
  readonly tls_key_file?: string | undefined;
  readonly tls_min_version?: string | undefined;
  readonly tls_client_ca_file?: string | undefined;
  readonly tls_require_and_verify_client_cert?: boolean | undefined;
  readonly tls_disable_client_certs?: boolean | undefined;

  /** For the line and headers of a request. */
  readonly http_read_header_timeout?: number | undefined;
  /** For a whole request, with its body. */
  readonly http_read_timeout?: number | undefined;
  /** Without any progress, for a client that does not read its answer. */
  readonly http_write_timeout?: number | undefined;
  /** Between two requests. */
  readonly http_idle_timeout?: number | undefined;
  /** For the work on a request. When it is over, the client is answered 504. */
  readonly max_request_duration?: number | undefined;
  /** A negative number lifts the limit. */
  readonly max_request_size?: number | undefined;
  readonly max_header_size?: number | undefined;
  readonly max_connections?: number | undefined;

  readonly x_forwarded_for_authorized_addrs?: readonly string[] | undefined;
  readonly x_forwarded_for_hop_skips?: number | undefined;
  readonly x_forwarded_for_reject_not_authorized?: boolean | undefined;
  readonly x_forwarded_for_reject_not_present?: boolean | undefined;
  readonly proxy_protocol_behavior?: string | undefined;
  readonly proxy_protocol_authorized_addrs?: readonly string[] | undefined;

  readonly custom_response_headers?: HeadersByStatus | undefined;
  /** Told to clients, if it is set. */
  readonly hostname?: string | undefined;
}

/** Each process has a socket of its own, and the system divides new connections among them. */
export interface PortSharing {
  /** Who comes first makes sure that no other server has the address. */
  readonly isFirst: boolean;
  /** The port that the first one got, if the address asks for any free one. */
  readonly port?: number | undefined;
}

/** Times in milliseconds. */
export interface Limits {
  readonly headerTimeout: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  readonly idleTimeout: number;
  readonly requestDuration: number;
  readonly requestSize: number;
  readonly headerSize: number;
  readonly connections: number;
}

export interface ListenerSettings {
  readonly host: string | undefined;
  readonly port: number;
  readonly sharing: PortSharing | undefined;
  readonly limits: Limits;
  readonly tls: TlsSettings | undefined;
  readonly forwardedFor: ForwardedForSettings | undefined;
  readonly proxyProtocol: ProxyProtocolSettings | undefined;
  readonly responseHeaders: ResponseHeaders;
}

/** Throws a sentence that names the option. */
export function readListenerOptions(options: ListenerOptions): ListenerSettings {
  const limits = readLimits(options);
  return {
    ...readAddress(options.address),
    sharing: options.sharing,
    limits,
    tls: readTls(options),
    forwardedFor: readForwardedFor(options),
    proxyProtocol: readProxyProtocol(options, limits),
    responseHeaders: new ResponseHeaders(options.custom_response_headers, options.hostname),
  };
}

function readAddress(address: string): { host: string | undefined; port: number } {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, Math.max(colon, 0)).replace(/^\[(.*)\]$/, "$1");
  const port = /^\d{1,5}$/.test(address.slice(colon + 1)) ? Number(address.slice(colon + 1)) : Number.NaN;
  if (colon === -1 || !(port <= 65_535)) {
    throw new Error(`address: ${JSON.stringify(address)} is not a host and a port such as 127.0.0.1:8200`);
  }
  return { host: host === "" ? undefined : host, port };
}

function readLimits(options: ListenerOptions): Limits {
  const headerTimeout = milliseconds(options, "http_read_header_timeout", 10);
  const size = options.max_request_size ?? 32 * 1024 * 1024;
  return {
    headerTimeout,
    readTimeout: Math.max(headerTimeout, milliseconds(options, "http_read_timeout", 30)),
    writeTimeout: milliseconds(options, "http_write_timeout", 30),
    idleTimeout: milliseconds(options, "http_idle_timeout", 300),
    requestDuration: milliseconds(options, "max_request_duration", 90),
    requestSize: size < 0 ? Number.POSITIVE_INFINITY : size,
    headerSize: positive("max_header_size", options.max_header_size ?? 64 * 1024),
    connections: positive("max_connections", options.max_connections ?? 10_000),
  };
}

type TimeName =
  | "http_read_header_timeout"
  | "http_read_timeout"
  | "http_write_timeout"
  | "http_idle_timeout"
  | "max_request_duration";

const milliseconds = (options: ListenerOptions, name: TimeName, byDefault: number): number =>
  Math.ceil(positive(name, options[name] ?? byDefault) * 1000);

/** Nothing may last or grow for ever: zero does not lift a limit here. */
function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${name}: must be a number above 0, not ${value}`);
}

const minVersions: ReadonlyMap<string, TlsSettings["minVersion"]> = new Map([
  ["tls12", "TLSv1.2"],
  ["tls13", "TLSv1.3"],
]);

function readTls(options: ListenerOptions): TlsSettings | undefined {
  if (options.tls_disable) return undefined;
  const { tls_cert_file: certFile, tls_key_file: keyFile, tls_client_ca_file: clientCaFile } = options;
  if (!certFile || !keyFile) {
    throw new Error("tls_cert_file and tls_key_file: both are needed, unless tls_disable is true");
  }
  const minVersion = minVersions.get(options.tls_min_version ?? "tls12");
  if (!minVersion) throw new Error(`tls_min_version: must be tls12 or tls13, not ${options.tls_min_version}`);
  const requires = options.tls_require_and_verify_client_cert ?? false;
  if (requires && options.tls_disable_client_certs) {
    throw new Error("tls_require_and_verify_client_cert and tls_disable_client_certs: only one can be true");
  }
  if (requires && !clientCaFile) {
    throw new Error("tls_client_ca_file: needed to verify clients, as tls_require_and_verify_client_cert asks for");
  }
  const clientCerts = requires ? "required" : options.tls_disable_client_certs ? "off" : "requested";
  return { certFile, keyFile, clientCaFile: clientCaFile || undefined, minVersion, clientCerts };
}

function readForwardedFor(options: ListenerOptions): ForwardedForSettings | undefined {
  const addresses = options.x_forwarded_for_authorized_addrs ?? [];
  if (addresses.length === 0) return undefined;
  const hopSkips = options.x_forwarded_for_hop_skips ?? 0;
  if (!Number.isSafeInteger(hopSkips) || hopSkips < 0) {
    throw new Error(`x_forwarded_for_hop_skips: must be a whole number from 0 on, not ${hopSkips}`);
  }
  return {
    authorized: ranges("x_forwarded_for_authorized_addrs", addresses),
    hopSkips,
    rejectNotPresent: options.x_forwarded_for_reject_not_present ?? true,
    rejectNotAuthorized: options.x_forwarded_for_reject_not_authorized ?? true,
  };
}

function readProxyProtocol(options: ListenerOptions, { headerTimeout }: Limits): ProxyProtocolSettings | undefined {
  const behavior = options.proxy_protocol_behavior;
  if (!behavior) return undefined;
  if (behavior !== "use_always" && behavior !== "allow_authorized" && behavior !== "deny_unauthorized") {
    throw new Error(
      `proxy_protocol_behavior: must be use_always, allow_authorized or deny_unauthorized, not ${JSON.stringify(behavior)}`,
    );
  }
  const addresses = options.proxy_protocol_authorized_addrs ?? [];
  if (behavior !== "use_always" && addresses.length === 0) {
    throw new Error(`proxy_protocol_authorized_addrs: needed with proxy_protocol_behavior ${behavior}`);
  }
  return { behavior, authorized: ranges("proxy_protocol_authorized_addrs", addresses), timeout: headerTimeout };
}

function ranges(name: string, texts: readonly string[]) {
  try {
    return texts.map(parseCidr);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}
