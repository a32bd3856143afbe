/** A client that says exactly the bytes it is told to, when it is told to. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";

export interface RawClientOptions {
  readonly port: number;
  readonly tls?: ConnectionOptions | undefined;
}

export class RawClient {
  readonly socket: Socket;
  /** Everything that came back, one character per byte. */
  received = "";
  private readonly closing: Promise<void>;

  private constructor(socket: Socket) {
    this.socket = socket.setNoDelay(true);
    socket.setEncoding("latin1").on("data", (text: string) => {
      this.received += text;
    });
    socket.on("error", () => {});
    this.closing = new Promise((resolve) => socket.on("close", () => resolve()));
  }

  static async connect({ port, tls }: RawClientOptions): Promise<RawClient> {
    const socket = tls ? connectTls({ host: "127.0.0.1", port, ...tls }) : connect(port, "127.0.0.1");
    await once(socket, tls ? "secureConnect" : "connect");
    return new RawClient(socket);
  }

  /** Each piece as a packet of its own, as far as an operating system can be asked for that. */
  async send(...pieces: (string | Buffer)[]): Promise<void> {
    for (const piece of pieces) {
      if (this.socket.destroyed) return;
      await new Promise<void>((resolve) => {
        this.socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece, () => resolve());
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Waits until this has come back. */
  async until(expected: string | ((received: string) => boolean)): Promise<void> {
    const arrived = typeof expected === "string" ? () => this.received.includes(expected) : expected;
    while (!arrived(this.received)) {
      if (this.socket.destroyed) throw new Error(`closed before ${expected} came; there was: ${this.received}`);
      await Promise.race([once(this.socket, "data"), this.closing]);
    }
  }

  /** Waits until the server has closed, and tells all that it said. */
  async closed(): Promise<string> {
    await this.closing;
    return this.received;
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  destroy(): void {
    this.socket.destroy();
  }
}
