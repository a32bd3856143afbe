/**
 * The load generator, a process of its own: keeps connections open, sends a request on each as soon as the last one
 * was answered, never two at once, and measures. It reads no more of an answer than it needs to find its end.
 */
import { connect } from "node:net";

/** `{unique}` in path or body becomes a number that is never used again, `{random}` one below `range`. */
export interface Load {
  readonly ports: readonly number[];
  readonly connections: number;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly token?: string;
  readonly range?: number;
  /** Each request on a connection of its own. */
  readonly isFresh?: boolean;
  /** The first of the numbers that are never used again; it goes on from the last one when it is left out. */
  readonly from?: number;
  /** It ends after this time, or after so many requests. */
  readonly milliseconds?: number;
  readonly requests?: number;
}

export interface Measured {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The share of one core that the generator itself used: near 1, it is the generator that is measured. */
  readonly busy: number;
}

const headEnd = Buffer.from("\r\n\r\n");

let unique = 0;

interface Lane {
  /** The next request; undefined when there is no more. */
  next(): string | undefined;
  done(milliseconds: number): void;
  /** It closes after one request. */
  readonly isFresh: boolean;
}

class Connection {
  readonly #next: () => string | undefined;
  readonly #done: (milliseconds: number) => void;
  readonly #isFresh: boolean;
  readonly #socket;
  #sentAt = 0;
  #rest = Buffer.alloc(0);
  readonly closed: Promise<void>;

  constructor(port: number, { next, done, isFresh }: Lane) {
    this.#next = next;
    this.#done = done;
    this.#isFresh = isFresh;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(65_536),
        callback: (size, buffer) => {
          try {
            this.#receive((buffer as Buffer).subarray(0, size));
          } catch (error) {
            reject(error);
            this.#socket.destroy();
          }
          return true;
        },
      },
    });
    this.#socket.on("connect", () => this.#send());
    this.#socket.on("error", reject);
    this.#socket.on("close", () => resolve());
  }

  #send(): void {
    const request = this.#next();
    if (request === undefined) {
      this.#socket.end();
      return;
    }
    this.#sentAt = performance.now();
    this.#socket.write(request, "latin1");
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.indexOf(headEnd);
    if (end < 0 || bytes.length < end + 4 + bodyLength(bytes.toString("latin1", 0, end))) {
      this.#rest = Buffer.from(bytes);
      return;
    }
    if (this.#rest.length > 0) this.#rest = Buffer.alloc(0);
    this.#done(performance.now() - this.#sentAt);
    if (this.#isFresh) this.#socket.end();
    else this.#send();
  }
}

function bodyLength(head: string): number {
  if (head.charCodeAt(9) !== "2".charCodeAt(0)) throw new Error(`the answer was ${head.slice(0, 80)}`);
  const found = /content-length: (\d+)/i.exec(head);
  return found ? Number(found[1]) : 0;
}

/** Makes the texts of requests, beforehand where they repeat. */
function requestsOf({ method, path, body = "", token, range = 1, isFresh }: Load): () => string {
  const close = isFresh ? "Connection: close\r\n" : "";
  const head = ` HTTP/1.1\r\nHost: localhost\r\n${close}${token === undefined ? "" : `X-Vault-Token: ${token}\r\n`}`;
  const text = (number: string) => {
    const sent = body.replace("{unique}", number);
    const length = method === "POST" ? `Content-Length: ${sent.length}\r\n` : "";
    return `${method} ${path.replace("{unique}", number).replace("{random}", number)}${head}${length}\r\n${sent}`;
  };
  if (path.includes("{unique}")) return () => text(String(unique++).padStart(7, "0"));
  if (!path.includes("{random}")) {
    const only = text("");
    return () => only;
  }
  const prepared = Array.from({ length: 4096 }, () => text(String(Math.floor(Math.random() * range)).padStart(7, "0")));
  let turn = 0;
  return () => prepared[turn++ % prepared.length]!;
}

async function run(load: Load): Promise<Measured> {
  const {
    ports,
    connections,
    milliseconds = 600_000,
    requests: most = Number.POSITIVE_INFINITY,
    isFresh = false,
  } = load;
  const latencies: number[] = [];
  const make = requestsOf(load);
  unique = load.from ?? unique;
  const start = performance.now();
  const cpu = process.cpuUsage();
  let sent = 0;
  const next = () => (performance.now() - start < milliseconds && sent++ < most ? make() : undefined);
  const open = (lane: number) =>
    new Connection(ports[lane % ports.length]!, { next, done: (latency) => latencies.push(latency), isFresh });
  const run = async (lane: number) => {
    do await open(lane).closed;
    while (isFresh && performance.now() - start < milliseconds && sent < most);
  };
  await Promise.all(Array.from({ length: connections }, (_, lane) => run(lane)));
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    perSecond: (sorted.length / elapsed) * 1000,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    busy: (user + system) / 1000 / elapsed,
  };
}

process.on("message", (load: Load) => {
  run(load).then(
    (measured) => process.send!({ measured }),
    (error: Error) => process.send!({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit());
