/** A network for tests in which names have the addresses, records and servers that a test gives them. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { LookupError, type Network, type Resolver } from "../../src/api/network.ts";

export class AcmeSolver {
  /** By name; a name without any has none. */
  readonly addresses = new Map<string, string[]>();
  readonly texts = new Map<string, string[]>();
  readonly authorities = new Map<string, { isCritical: boolean; tag: string; value: string }[]>();
  /** What the web server answers, by path; a status and a place to go to are possible too. */
  readonly files = new Map<string, string | { status: number; location?: string }>();
  /** Local ports that stand for those of the world: 80 and 443. */
  readonly ports = new Map<number, number>();
  /** Names that the resolver has no answer for. */
  readonly unanswered = new Set<string>();
  /** Every connection that was asked for. */
  readonly connected: string[] = [];
  /** Resolvers that were asked for. */
  readonly resolvers = new Set<string | undefined>();
  #server: Server | undefined;

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const found = this.files.get(request.url ?? "") ?? this.files.get(`${request.headers.host}${request.url}`);
      if (found === undefined) response.writeHead(404).end();
      else if (typeof found === "string") response.end(found);
      else response.writeHead(found.status, found.location === undefined ? {} : { location: found.location }).end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    this.#server = server;
    this.ports.set(80, (server.address() as AddressInfo).port);
    return this;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  readonly network: Network = {
    resolver: (server) => {
      this.resolvers.add(server);
      return this.#resolver;
    },
    connect: ({ address, port, signal }) => {
      this.connected.push(`${address}:${port}`);
      return new Promise<Socket>((resolve, reject) => {
        const local = this.ports.get(port);
        if (local === undefined) return reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
        const socket = connect({ host: "127.0.0.1", port: local, signal });
        socket.once("connect", () => resolve(socket)).once("error", reject);
      });
    },
  };

  readonly #resolver: Resolver = {
    addresses: async (name) => this.#found(name, this.addresses.get(name) ?? []),
    texts: async (name) => this.#found(name, this.texts.get(name) ?? []),
    authorities: async (name) => this.#found(name, this.authorities.get(name) ?? []),
  };

  #found<T>(name: string, records: T[]): T[] {
    if (this.unanswered.has(name)) throw new LookupError(`looking up ${name} failed: ESERVFAIL`);
    return records;
  }

  /** Makes the web server answer a challenge. */
  serve(token: string, thumbprint: string): void {
    this.files.set(`/.well-known/acme-challenge/${token}`, `${token}.${thumbprint}`);
  }
}
