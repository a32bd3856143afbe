/** Takes a connection's endpoints from the PROXY protocol, where the operator says that a load balancer speaks it. */
import type { Server, Socket } from "node:net";
import { type Cidr, containedInAny } from "../lib/cidr.ts";
import { type Endpoints, type ProxyHeader, readProxyHeader } from "./proxy-header.ts";

export interface ProxyProtocolSettings {
  readonly behavior: "use_always" | "allow_authorized" | "deny_unauthorized";
  /** Balancers that are believed; not looked at with `use_always`. */
  readonly authorized: readonly Cidr[];
  /** Milliseconds for the header to arrive. */
  readonly timeout: number;
}

/** What was announced of a connection, which may be wrapped in TLS by now. */
export type AnnouncedEndpoints = (socket: Socket) => Endpoints | undefined;

/**
 * Puts itself before everything else that a server does with a new connection. A header from someone who is not
 * authorized is read and not believed, so that a balancer can be set up before the server knows it.
 */
export function expectProxyHeader(
  server: Server,
  settings: ProxyProtocolSettings,
  onBroken: (reason: string) => void,
): AnnouncedEndpoints {
  const { behavior, authorized, timeout } = settings;
  const announced = new Map<string, Endpoints>();
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");

  server.on("connection", (socket: Socket) => {
    const isBelieved = behavior === "use_always" || containedInAny(authorized, socket.remoteAddress ?? "");
    if (!isBelieved && behavior === "deny_unauthorized") {
      socket.destroy();
      return;
    }
    const hear = (endpoints: Endpoints | undefined) => {
      if (endpoints && isBelieved) remember(announced, socket, endpoints);
      for (const listener of listeners) listener.call(server, socket);
      // TLS reads on by itself; a plain socket waits to be told.
      if (socket.listenerCount("data") > 0) socket.resume();
    };
    takeHeader(socket, timeout, hear, onBroken);
  });
  return (socket) => announced.get(identity(socket));
}

function takeHeader(
  socket: Socket,
  timeout: number,
  hear: (endpoints: Endpoints | undefined) => void,
  onBroken: (reason: string) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const give = () => socket.destroy();
  const stop = () => {
    socket.setTimeout(0);
    socket.off("data", take).off("end", give).off("error", give).off("timeout", give);
  };
  const take = (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    const header = attempt(bytes);
    if (typeof header === "string") {
      onBroken(header);
      socket.destroy();
      return;
    }
    if (header.kind === "incomplete") return;
    const { length, endpoints } = header.kind === "present" ? header : { length: 0 };
    stop();
    socket.pause();
    if (bytes.length > length) socket.unshift(bytes.subarray(length));
    hear(endpoints);
  };
  socket.on("data", take).on("end", give).on("error", give).setTimeout(timeout, give);
}

/** The header, or what is wrong with it. */
function attempt(bytes: Buffer): ProxyHeader | string {
  try {
    return readProxyHeader(bytes);
  } catch (error) {
    return (error as Error).message;
  }
}

function remember(announced: Map<string, Endpoints>, socket: Socket, endpoints: Endpoints): void {
  const key = identity(socket);
  announced.set(key, endpoints);
  socket.once("close", () => announced.delete(key));
}

/** TLS gives requests another socket than the one that was accepted; its real endpoints are the same. */
const identity = (socket: Socket): string =>
  `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress} ${socket.localPort}`;
