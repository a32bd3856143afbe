/** Decides whether a redirect is followed: to another path of the same server only, since the token goes along. */
import { type RequestLine, Unreachable } from "./failure.ts";
import type { HttpReply, HttpRequest } from "./transport.ts";

/** 307 and 308 keep method and body; the others would turn a write into a read. */
const followed = new Set([307, 308]);

/** The path and query to ask in place of the first; `undefined` if the reply is no redirect. */
export function redirectTarget(
  { status, headers }: HttpReply,
  origin: string,
  { method, target }: HttpRequest,
  line: RequestLine,
): string | undefined {
  const isRead = method === "GET" && (status === 301 || status === 302);
  if (!followed.has(status) && !isRead) return undefined;
  const location = headers.location;
  if (location === undefined || !URL.canParse(location, origin + target)) {
    throw new Unreachable(line, "BAD_REDIRECT", "the server redirects to nowhere");
  }
  const url = new URL(location, origin + target);
  if (url.origin !== origin) {
    throw new Unreachable(
      line,
      "FOREIGN_REDIRECT",
      `the server redirects to ${url.origin}, and the token is not sent there unasked; ask that address yourself if you trust it`,
    );
  }
  return url.pathname + url.search;
}
