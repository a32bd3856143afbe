/** Proves a name or address by a file on its web server (RFC 8555, section 8.3; RFC 8738). */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { Problem } from "../problem.ts";
import { keyAuthorization, type Proof } from "./proof.ts";
import { connectTo } from "./targets.ts";

const mostRedirects = 10;
const mostBytes = 1024;
const longestUrl = 2000;
const redirects = new Set([301, 302, 303, 307, 308]);
/** A server that is sent elsewhere could be sent anywhere: only where web servers are. */
const ports = { "http:": 80, "https:": 443 } as const;

export async function validateHttp(proof: Proof): Promise<void> {
  const { value } = proof.identifier;
  const host = isIP(value) === 6 ? `[${value}]` : value;
  let url = new URL(`http://${host}/.well-known/acme-challenge/${proof.token}`);
  for (let left = mostRedirects; ; left--) {
    const { status, location, body } = await get(url, proof);
    if (redirects.has(status) && location !== undefined) {
      if (left === 0) throw refused(url, "redirects too often");
      url = redirected(url, location);
      continue;
    }
    if (status !== 200) throw refused(url, `answered with status ${status}`);
    if (body.trimEnd() === keyAuthorization(proof)) return;
    // What the server said instead stays out of the error: it may be none of the client's business.
    throw refused(url, "answered with something else than the key authorization");
  }
}

const refused = ({ host }: URL, what: string) => new Problem("incorrectResponse", `the server at ${host} ${what}`);

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

async function get(url: URL, proof: Proof): Promise<Answer> {
  const port = ports[url.protocol as keyof typeof ports];
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = await connectTo(host, port, proof);
  try {
    const connection = port === 443 ? await secured(socket, host, proof.signal) : socket;
    return await exchange(url, connection, proof.signal);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = proof.signal.aborted ? "no answer in time" : ((error as NodeJS.ErrnoException).code ?? "no answer");
    throw new Problem("connection", `asking ${url.host} failed: ${reason}`);
  } finally {
    socket.destroy();
  }
}

/** Who has no certificate yet, or an old one, must be able to get one: nothing is verified. */
function secured(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const secure = connectTls({
    socket,
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  });
  signal.addEventListener("abort", () => secure.destroy(new Error("no answer in time")), { once: true });
  // For as long as it lives: an error that nobody listens to would end the process.
  secure.on("error", reject);
  secure.once("secureConnect", () => resolve(secure));
  return promise;
}

function exchange(url: URL, socket: Socket, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const call = httpRequest({
    createConnection: () => socket,
    host: url.hostname,
    path: url.pathname + url.search,
    headers: { host: url.host, "user-agent": "strongroom-acme", accept: "*/*", connection: "close" },
    signal,
    maxHeaderSize: 8192,
  });
  call.on("error", reject);
  call.on("response", (response) => collected(response).then(resolve, reject));
  call.end();
  return promise;
}

async function collected(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  const pieces: Buffer[] = [];
  let size = 0;
  if (!redirects.has(status)) {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size > mostBytes) throw new Problem("incorrectResponse", `the answer is larger than ${mostBytes} bytes`);
    }
  }
  return { status, location, body: Buffer.concat(pieces).toString("utf8") };
}

function redirected(from: URL, location: string): URL {
  const to = location.length <= longestUrl && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (!to || !Object.hasOwn(ports, to.protocol)) throw refused(from, "redirects to what is no http or https URL");
  if (to.port !== "") throw refused(from, "redirects to a port that is neither 80 nor 443");
  if (to.username !== "" || to.password !== "") throw refused(from, "redirects to a URL with a password");
  return to;
}
