/** Calls over HTTP and HTTPS that engines make, each with a deadline, a size limit, and TLS that is verified. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import {
  type Outbound,
  OutboundError,
  type OutboundReply,
  type OutboundRequest,
  type OutboundTls,
} from "../api/outbound.ts";

const usualTimeoutMs = 10_000;
const usualBytes = 1024 * 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export const outbound: Outbound = {
  async request(request) {
    const deadline = AbortSignal.timeout(request.timeoutMs ?? usualTimeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    let url = parseUrl(request.url);
    for (let left = request.redirects ?? 0; ; left--) {
      const reply = await exchange(url, request, signal);
      const target = redirectStatuses.has(reply.status) ? reply.headers["location"] : undefined;
      if (target === undefined || left <= 0) return reply;
      url = redirected(url, target);
    }
  },
};

function exchange(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundReply>();
  const { method = "GET", headers = {}, body, tls = {}, maxBytes = usualBytes } = request;
  const isSecure = url.protocol === "https:";
  // Connections are not kept: another call may trust other authorities, or bring another certificate.
  const options: RequestOptions = { method, headers: { ...headers, ...lengthOf(body) }, signal, agent: false };
  const call = isSecure ? httpsRequest(url, { ...options, ...tlsOptions(tls) }) : httpRequest(url, options);
  const fail = (error: Error) => reject(described(error, signal));
  call.on("error", fail);
  call.on("response", (response) => collect(response, maxBytes).then(resolve, fail));
  call.end(body);
  return promise;
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<OutboundReply> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) {
      response.destroy();
      throw new OutboundError(`the answer is larger than ${maxBytes} bytes`, "TOO_LARGE");
    }
    pieces.push(piece);
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(pieces) };
}

const lengthOf = (body: string | Uint8Array | undefined): Record<string, string> =>
  body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };

function tlsOptions({ ca, cert, key, serverName, allowedServerNames = [], insecure = false }: OutboundTls) {
  return {
    agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca: typeof ca === "string" ? ca : [...ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    checkServerIdentity: (host: string, certificate: PeerCertificate) => {
      const names = [serverName ?? host, ...allowedServerNames];
      const failures = names.map((name) => checkServerIdentity(name, certificate));
      return failures.includes(undefined) ? undefined : failures[0];
    },
  };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new OutboundError("the address is not an http:// or https:// URL", "ERR_INVALID_URL");
}

/** Another host could be anything inside the network, so a redirect may only name the one that was asked. */
function redirected(from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new OutboundError("the server redirects to another host", "FOREIGN_REDIRECT");
}

function described(error: Error, signal: AbortSignal): Error {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return new OutboundError("no answer in time", "ETIMEDOUT");
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new OutboundError(message === "" ? code : message, code);
}
