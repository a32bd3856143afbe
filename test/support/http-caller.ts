/** Calls a server over HTTP as a client would, with connections that are kept open. */
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

export interface CallOptions {
  readonly token?: string | undefined;
  /** Several values of one name are sent as several headers. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export class HttpCaller {
  readonly url: string;
  readonly #agent: Agent;
  /** Sent with every call that does not say otherwise; none while it is empty. */
  token: string;

  constructor(url: string, token = "", tls: { readonly ca?: string } = {}) {
    this.url = url;
    this.token = token;
    const keepAlive = { keepAlive: true, maxFreeSockets: 64 };
    this.#agent = url.startsWith("https:") ? new TlsAgent({ ...keepAlive, ...tls }) : new Agent(keepAlive);
  }

  /**
   * A path is what follows `/v1/`, or begins with a slash and is sent as it is. An object is sent as JSON, a string as
   * it is, and neither with a content type. Rejects when the connection breaks before the whole answer has come.
   */
  call(method: string, path: string, body?: object | string, options: CallOptions = {}): Promise<HttpAnswer> {
    const { token = this.token, headers = {} } = options;
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    return this.#send(text, {
      method,
      path: path.startsWith("/") ? path : `/v1/${path}`,
      headers: {
        ...(text !== undefined && { "content-length": String(Buffer.byteLength(text)) }),
        ...(token !== "" && { "x-vault-token": token }),
        ...headers,
      },
    });
  }

  /** Throws unless the answer is one of success, and tells what was wrong. */
  async demand(method: string, path: string, body?: object | string, options?: CallOptions): Promise<HttpAnswer> {
    const answer = await this.call(method, path, body, options);
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(body: string | undefined, options: RequestOptions): Promise<HttpAnswer> {
    const { hostname, port, protocol } = new URL(this.url);
    const send = protocol === "https:" ? tlsRequest : request;
    return new Promise((resolve, reject) => {
      const sent = send({ ...options, hostname, port, agent: this.#agent }, (message) => {
        const chunks: Buffer[] = [];
        message.on("data", (chunk: Buffer) => chunks.push(chunk));
        message.on("error", reject);
        message.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const { statusCode: status = 0, headers } = message;
          resolve({ status, headers, text, json: parsed(text) });
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
