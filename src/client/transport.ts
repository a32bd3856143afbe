/** One HTTP exchange with one server, over TCP, TLS or a Unix socket. */
import http, { type IncomingHttpHeaders, type RequestOptions } from "node:http";
import https from "node:https";
import type { Address } from "./address.ts";

export interface TlsSettings {
  /** PEM texts; the system's own authorities when there are none. */
  readonly authorities: readonly string[];
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** Name that the server's certificate must have, in place of the address's host. */
  readonly serverName: string | undefined;
  readonly skipVerify: boolean;
}

export interface HttpRequest {
  readonly method: string;
  /** Path and query, as they go over the wire. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** No answer within the time that was allowed. */
class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly code = "ETIMEDOUT";
}

export class Transport {
  readonly #options: RequestOptions;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;
  readonly #timeout: number;

  /** `timeout` in milliseconds; 0 waits for ever. */
  constructor(address: Address, tls: TlsSettings | undefined, timeout: number) {
    const secure = address.protocol === "https:";
    const { hostname, port } = new URL(address.origin);
    // Node takes IPv6 addresses without the brackets that URLs have.
    const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    const socket = address.socketPath === undefined ? { host, port } : { socketPath: address.socketPath };
    this.#agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
    this.#options = { ...socket, agent: this.#agent, ...(secure && tls && tlsOptions(tls)) };
    this.#request = secure ? https.request : http.request;
    this.#timeout = timeout;
  }

  async send({ method, target, headers, body }: HttpRequest): Promise<HttpReply> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = this.#request({ ...this.#options, method, path: target, headers: { ...headers, ...length } });
    const timer = this.#timeout > 0 ? setTimeout(() => request.destroy(timedOut(this.#timeout)), this.#timeout) : null;
    request.on("error", reject);
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    request.end(body);
    return promise.finally(() => timer && clearTimeout(timer));
  }

  close(): void {
    this.#agent.destroy();
  }
}

const tlsOptions = ({ authorities, certificate, key, serverName, skipVerify }: TlsSettings) => ({
  ...(authorities.length > 0 && { ca: [...authorities] }),
  ...(certificate !== undefined && { cert: certificate }),
  ...(key !== undefined && { key }),
  ...(serverName !== undefined && { servername: serverName }),
  rejectUnauthorized: !skipVerify,
});

const timedOut = (milliseconds: number) => new TimeoutError(`no answer within ${milliseconds / 1000} s`);
