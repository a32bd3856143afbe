/** Sends entries to a socket: TCP, UDP or a Unix stream. A lost connection is made anew at the next entry. */
import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { type AuditDevice, DeviceOptionError, type DeviceType } from "../device.ts";

export const socketDevice: DeviceType = {
  type: "socket",
  async open(options) {
    const address = options["address"] ?? "";
    const kind = options["socket_type"] ?? "tcp";
    if (address === "") throw new DeviceOptionError("address is required");
    if (kind === "unix") return new StreamDevice(() => connect({ path: address }));
    const { host, port } = hostAndPort(address);
    if (kind === "tcp") return new StreamDevice(() => connect({ host, port }));
    if (kind === "udp") return new DatagramDevice(host, port);
    throw new DeviceOptionError("socket_type must be tcp, udp or unix");
  },
};

function hostAndPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/, "$1");
  const port = Number(address.slice(colon + 1));
  if (host === "" || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new DeviceOptionError("address must be a host and a port such as 127.0.0.1:9090");
  }
  return { host, port };
}

/** Bytes that may wait for a peer. */
const mostQueued = 1024 * 1024;
const mostMissed = 100;

class StreamDevice implements AuditDevice {
  readonly #connect: () => Socket;
  #socket: Socket | undefined;
  /** Entries in a row that were not taken in time. */
  #missed = 0;

  constructor(open: () => Socket) {
    this.#connect = open;
  }

  async write(line: string): Promise<void> {
    const socket = this.#open();
    if (socket.writableLength > mostQueued) throw new Error("whoever listens at the audit socket reads nothing");
    await new Promise<void>((done, fail) => {
      const gone = () => fail(new Error("the connection to the audit socket was lost"));
      socket.once("close", gone);
      // Called when the system has taken the bytes; a peer that never reads makes this wait for the deadline.
      socket.write(line, (error) => {
        socket.off("close", gone);
        if (error) return fail(error);
        this.#missed = 0;
        done();
      });
    });
  }

  /** A new connection has empty buffers, and would take entries that nobody reads: so not at the first occasion. */
  abandon(): void {
    this.#missed += 1;
    if (this.#socket?.connecting || this.#missed >= mostMissed) this.#drop();
  }

  async reopen(): Promise<void> {
    this.#drop();
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
  }

  #drop(): void {
    this.#missed = 0;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed) return this.#socket;
    const socket = this.#connect();
    socket.unref();
    socket.setMaxListeners(0);
    socket.on("error", () => socket.destroy());
    socket.resume();
    this.#socket = socket;
    return socket;
  }
}

class DatagramDevice implements AuditDevice {
  readonly #host: string;
  readonly #port: number;
  readonly #socket: DatagramSocket;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
    this.#socket = createSocket(host.includes(":") ? "udp6" : "udp4").unref();
    this.#socket.on("error", () => {});
  }

  write(line: string): Promise<void> {
    return new Promise((done, fail) =>
      this.#socket.send(line, this.#port, this.#host, (error) => (error ? fail(error) : done())),
    );
  }

  async reopen(): Promise<void> {}

  async close(): Promise<void> {
    this.#socket.close();
  }
}
