/** Where people may be sent back to. On their own machine the port does not matter: listeners there take any (RFC 8252). */

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isAllowedRedirect(uri: string, allowed: readonly string[]): boolean {
  const asked = parsed(uri);
  if (!asked || !loopback.has(asked.hostname)) return allowed.includes(uri);
  return allowed.some((text) => {
    const candidate = parsed(text);
    return candidate !== undefined && withoutPort(candidate) === withoutPort(asked);
  });
}

function withoutPort(url: URL): string {
  const copy = new URL(url);
  copy.port = "";
  return copy.toString();
}

const parsed = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The URI without a parameter, and otherwise as it was written. */
export function withoutParameter(uri: string, name: string): string {
  const start = uri.indexOf("?");
  if (start === -1) return uri;
  const rest = uri
    .slice(start + 1)
    .split("&")
    .filter((pair) => pair.split("=", 1)[0] !== name);
  return rest.length === 0 ? uri.slice(0, start) : `${uri.slice(0, start)}?${rest.join("&")}`;
}
