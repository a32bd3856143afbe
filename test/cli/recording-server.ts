/** A server that writes down what it is asked, and answers from a table. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface RecordedRequest {
  /** `PUT /v1/sys/seal`. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

export interface CannedReply {
  readonly status?: number;
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** By request line; what is not in it is answered with 204. */
export type Replies = Record<string, CannedReply>;

export class RecordingServer implements AsyncDisposable {
  requests: RecordedRequest[] = [];
  replies: Replies = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = await text(request);
      const line = `${request.method} ${request.url}`;
      this.requests.push({
        line,
        headers: request.headers,
        text: body,
        body: body === "" ? undefined : JSON.parse(body),
      });
      const { status, json, body: raw, headers = {} } = this.replies[line] ?? { status: 204 };
      const content = json === undefined ? raw : `${JSON.stringify(json)}\n`;
      response.writeHead(status ?? 200, {
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      });
      response.end(content);
    });
  }

  static async start(): Promise<RecordingServer> {
    const server = new RecordingServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was asked, and answers from another table. */
  reset(replies: Replies = {}): void {
    this.requests = [];
    this.replies = replies;
  }

  get lines(): string[] {
    return this.requests.map(({ line }) => line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
