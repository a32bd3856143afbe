/** Addresses that a server listens on: `127.0.0.1:8200`, `[::1]:8200`, `localhost:8200`, and `:8200` for all interfaces. */
import { isIPv4, isIPv6 } from "node:net";

export interface ListenAddress {
  /** Empty for all interfaces. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Throws an error whose message says what is allowed. */
export function parseListenAddress(text: string): ListenAddress {
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, Math.max(colon, 0));
  const digits = text.slice(colon + 1);
  const port = /^[0-9]{1,5}$/.test(digits) ? Number(digits) : -1;
  if (colon === -1 || port < 0 || port > 65535) throw notAddress(text);
  if (host.startsWith("[") && host.endsWith("]") && isIPv6(host.slice(1, -1))) return { host: host.slice(1, -1), port };
  if (host === "" || isHostName(host)) return { host, port };
  throw notAddress(text);
}

function isHostName(host: string): boolean {
  if (/^[0-9.]+$/.test(host)) return isIPv4(host);
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/.test(host);
}

function notAddress(text: string): Error {
  return new Error(
    `${JSON.stringify(text)} is not an address to listen on: give host and port, such as "127.0.0.1:8200" or "[::1]:8200"`,
  );
}

/** The same text for addresses that cannot be listened on at once. */
export function normalListenAddress({ host, port }: ListenAddress): string {
  const isEverywhere = host === "" || host === "0.0.0.0" || host === "::";
  return `${isEverywhere ? "*" : host.toLowerCase()}:${port}`;
}
