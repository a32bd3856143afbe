/** Sets up node's servers with our limits, and hands their requests on. */
import { createServer, type Server, type ServerOptions } from "node:http";
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import {
  type AddressInfo,
  createServer as createSocketServer,
  type ListenOptions,
  type Socket,
  type Server as SocketServer,
} from "node:net";
import { ApiError } from "../api/errors.ts";
import { refusalOf, refuse } from "./client-error.ts";
import { InFlight } from "./in-flight.ts";
import { acceptListAndScan } from "./list-method.ts";
import { type Limits, type ListenerSettings, readListenerOptions } from "./listener-options.ts";
import { type NodeMessage, NodeRequest, type NodeResponse, type RequestContext } from "./node-request.ts";
import { expectProxyHeader } from "./proxy-protocol.ts";
import type { Handle, Listener, ListenerLog } from "./server.ts";
import { loadTls } from "./tls.ts";

/** Streams at once on a connection of HTTP/2. */
const concurrentStreams = 128;
const defaultGrace = 30;

export async function openListener(settings: ListenerSettings, handle: Handle, log: ListenerLog): Promise<Listener> {
  const { limits, tls } = settings;
  const server = tls
    ? createSecureServer({ ...http2Options(limits), ...(await loadTls(tls)) })
    : createServer(http1Options(limits));
  server.maxConnections = limits.connections;
  // By default node leaves out headers after the thousandth: a second token could hide there.
  (server as Server).maxHeadersCount = 0;
  acceptListAndScan(server);
  const inFlight = new InFlight(Math.min(limits.requestDuration, limits.readTimeout, limits.writeTimeout));
  const announced =
    settings.proxyProtocol &&
    expectProxyHeader(server, settings.proxyProtocol, (reason) => log.warn(`closed a connection with ${reason}`));
  const sockets = trackSockets(server);
  const context: RequestContext = { settings, headers: settings.responseHeaders, inFlight, announced, log };
  answerRequests(server, context, handle);
  await bind(server, settings).catch((error) => {
    inFlight.stop();
    throw error;
  });
  return {
    address: server.address() as AddressInfo,
    get inFlight() {
      return inFlight.size;
    },
    async reload(options) {
      const wanted = options === undefined ? settings : readListenerOptions(options);
      // Whether there is TLS at all is not for a running listener to change.
      if (tls) (server as Http2SecureServer).setSecureContext(await loadTls(wanted.tls ?? tls));
      context.headers = wanted.responseHeaders;
    },
    async close(graceSeconds = defaultGrace) {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await inFlight.drain(graceSeconds * 1000);
      // What was just written leaves before its connection is closed.
      await new Promise((resolve) => setImmediate(resolve));
      for (const socket of sockets) socket.destroy();
      inFlight.stop();
      await closed;
    },
  };
}

function http1Options(limits: Limits): ServerOptions {
  return {
    headersTimeout: limits.headerTimeout,
    requestTimeout: limits.readTimeout,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(limits.headerTimeout / 4)),
    maxHeaderSize: limits.headerSize,
    requireHostHeader: false, // answered by us, in our form
    optimizeEmptyRequests: true,
    insecureHTTPParser: false,
  };
}

function http2Options(limits: Limits): SecureServerOptions {
  return {
    allowHTTP1: true,
    http1Options: http1Options(limits),
    handshakeTimeout: limits.headerTimeout,
    settings: { maxConcurrentStreams: concurrentStreams, maxHeaderListSize: limits.headerSize },
  };
}

/** From their first moment on, before even their PROXY header has come. */
function trackSockets(server: Server | Http2SecureServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.prependListener("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function answerRequests(server: Server | Http2SecureServer, context: RequestContext, handle: Handle): void {
  const { inFlight, settings, log } = context;
  const serve = (awaitsContinue: boolean) => (message: NodeMessage, response: NodeResponse) => {
    const request = new NodeRequest(context, message, response, awaitsContinue);
    inFlight.add(request);
    try {
      request.check();
      handle(request).then(
        (reply) => request.reply(reply),
        (error) => request.fail(error),
      );
    } catch (error) {
      request.fail(error);
    }
  };
  server.on("request", serve(false));
  server.on("checkContinue", serve(true));
  server.on("checkExpectation", (message: NodeMessage, response: NodeResponse) => {
    const request = new NodeRequest(context, message, response, false);
    inFlight.add(request);
    request.fail(new ApiError(417, "the only expectation that can be met is 100-continue"));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const refusal = refusalOf(error);
    // In the middle of an answer, more words would be taken for a part of it.
    if (refusal && socket.writable && !inFlight.isAnswering(socket)) refuse(socket, refusal);
    else socket.destroy();
  });
  server.on("session", (session) => {
    session.setTimeout(settings.limits.idleTimeout, () => session.close());
  });
  server.on("error", (error) => log.error("the listener failed", error));
}

async function bind(server: Server | Http2SecureServer, settings: ListenerSettings): Promise<void> {
  const { host, port, sharing } = settings;
  const address = { port: port === 0 ? (sharing?.port ?? 0) : port, ...(host === undefined ? {} : { host }) };
  try {
    if (sharing?.isFirst && port !== 0) await requireFree(address);
    await listening(server, { ...address, ...(sharing && { reusePort: true, exclusive: true }) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "the address is in use" : (code ?? message);
    throw new Error(`cannot listen on ${host ?? ""}:${port}: ${reason}`);
  }
}

/** A shared address can be taken by any process of the same user: without this, a second server would get half of the clients. */
async function requireFree(address: ListenOptions): Promise<void> {
  const probe = createSocketServer();
  await listening(probe, { ...address, exclusive: true });
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

function listening(server: SocketServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
