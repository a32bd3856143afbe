/** Where a server is: `http://host:port`, `https://host:port/prefix` or `unix:///path/of/socket`. */

export interface Address {
  /** Scheme, host and port: what a redirect must not leave. */
  readonly origin: string;
  readonly protocol: "http:" | "https:";
  /** Path in front of `/v1`, without a slash at its end; usually empty. */
  readonly prefix: string;
  readonly socketPath: string | undefined;
}

export class AddressError extends Error {
  override readonly name = "AddressError";
}

const expected = "use http://host:port, https://host:port or unix:///path/of/socket";

export function parseAddress(text: string): Address {
  if (text.startsWith("unix://")) {
    const socketPath = text.slice("unix://".length);
    if (!socketPath.startsWith("/")) throw new AddressError(`the address names no socket: ${expected}`);
    return { origin: "http://localhost", protocol: "http:", prefix: "", socketPath };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new AddressError(`${JSON.stringify(text)} is not an address: ${expected}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new AddressError(`an address cannot hold a user name or password: ${expected}`);
  }
  return { origin: url.origin, protocol: url.protocol, prefix: withoutSlash(url.pathname), socketPath: undefined };
}

function withoutSlash(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}
