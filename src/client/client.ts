/** Speaks to a server: one method for each verb of the API, lossless JSON both ways, refusals as errors. */
import { setTimeout as sleep } from "node:timers/promises";
import { formatDuration, parseDuration } from "../lib/duration.ts";
import { isJsonObject, type JsonObject, parseJson } from "../lib/json.ts";
import { type Address, parseAddress } from "./address.ts";
import { Refusal, type RequestLine, Unreachable } from "./failure.ts";
import { redirectTarget } from "./redirect.ts";
import { isPassing, isPassingFailure, pauseBefore } from "./retry.ts";
import { type Secret, secretOf } from "./secret.ts";
import { type HttpReply, type HttpRequest, type TlsSettings, Transport } from "./transport.ts";

export interface ClientSettings {
  readonly address: string;
  readonly token?: string | undefined;
  readonly namespace?: string | undefined;
  /** Seconds or a duration: wrap what the server answers. */
  readonly wrapTtl?: string | undefined;
  readonly headers?: Iterable<readonly [string, string]>;
  readonly tls?: TlsSettings | undefined;
  /** Milliseconds; one minute by default, and 0 waits for ever. */
  readonly timeout?: number;
  /** How often a request is sent again after a failure that may pass. */
  readonly maxRetries?: number;
  /** Sees each request before it goes out, and may stop it by throwing. */
  readonly onRequest?: (request: HttpRequest, line: RequestLine) => void | Promise<void>;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface RequestOptions {
  readonly query?: Readonly<Query>;
  readonly body?: unknown;
  /** Overrides the client's own token; empty for none. */
  readonly token?: string | undefined;
  /** A question of the client's own: `onRequest` does not get to see it, and the answer is not wrapped. */
  readonly isProbe?: boolean;
}

export type Query = Record<string, string | readonly string[]>;

const defaultTimeout = 60_000;
const defaultRetries = 2;

/** What `sys/wrapping/wrap` cannot do without is given even if nobody asks. */
const defaultWrapTtl = (method: string, path: string): string | undefined =>
  path === "sys/wrapping/wrap" && method !== "GET" ? "5m" : undefined;

export class Client {
  readonly settings: ClientSettings;
  readonly #address: Address;
  readonly #transport: Transport;

  /** Throws `AddressError`. */
  constructor(settings: ClientSettings) {
    this.settings = settings;
    this.#address = parseAddress(settings.address);
    this.#transport = new Transport(this.#address, settings.tls, settings.timeout ?? defaultTimeout);
  }

  get = (path: string, options: RequestOptions = {}) => this.#call("GET", path, options);
  put = (path: string, body?: unknown, options: RequestOptions = {}) => this.#call("PUT", path, { ...options, body });
  post = (path: string, body?: unknown, options: RequestOptions = {}) => this.#call("POST", path, { ...options, body });
  patch = (path: string, body: unknown, options: RequestOptions = {}) =>
    this.#call("PATCH", path, { ...options, body });
  delete = (path: string, options: RequestOptions = {}) => this.#call("DELETE", path, options);

  /** Reads what may not be there. A 404 that comes with data or warnings is an answer. */
  find = (path: string, options: RequestOptions = {}) => this.orNothing(this.get(path, options));

  /** Every server and proxy takes `?list=true`; not every one takes the method LIST. */
  list = (path: string, query: Query = {}) => this.find(path, { query: { list: "true", ...query } });
  scan = (path: string, query: Query = {}) => this.find(path, { query: { scan: "true", ...query } });

  /** A 404 without a message becomes nothing. */
  async orNothing(work: Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Refusal) || !error.isAbsence || error.messages.length > 0) throw error;
      const hasContent = isJsonObject(error.json) && ("data" in error.json || "warnings" in error.json);
      return hasContent ? new Answer(error.json, Buffer.from(JSON.stringify(error.json))) : undefined;
    }
  }

  close(): void {
    this.#transport.close();
  }

  async #call(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const request = this.#prepare(method, path, options);
    const line = this.#line(request);
    if (!options.isProbe) await this.settings.onRequest?.(request, line);
    const reply = await this.#send(request, line);
    return answerOf(reply, line);
  }

  #prepare(method: string, path: string, options: RequestOptions): HttpRequest {
    const { query = {}, body } = options;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one);
    const questions = search.size > 0 ? `?${search}` : "";
    return {
      method,
      target: `${this.#address.prefix}/v1/${encodePath(path)}${questions}`,
      headers: this.#headers(method, path, options),
      body: body === undefined ? undefined : JSON.stringify(body),
    };
  }

  #headers(method: string, path: string, { body, token, isProbe }: RequestOptions): Record<string, string> {
    const { namespace } = this.settings;
    const sentToken = token ?? this.settings.token ?? "";
    const wrapTtl = isProbe ? undefined : (this.settings.wrapTtl ?? defaultWrapTtl(method, path));
    const mediaType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    return {
      ...Object.fromEntries(this.settings.headers ?? []),
      "X-Service-Request": "true",
      ...(sentToken !== "" && { "X-Service-Token": sentToken }),
      ...(namespace !== undefined && namespace !== "" && { "X-Service-Namespace": namespace }),
      ...(wrapTtl !== undefined && { "X-Service-Wrap-TTL": formatDuration(parseDuration(wrapTtl)) }),
      ...(body !== undefined && { "Content-Type": mediaType }),
    };
  }

  #line({ method, target }: HttpRequest): RequestLine {
    const { namespace } = this.settings;
    return { method, url: this.#address.origin + target, namespace: namespace === "" ? undefined : namespace };
  }

  async #send(request: HttpRequest, line: RequestLine): Promise<HttpReply> {
    const reply = await this.#sendPatiently(request, line);
    const target = redirectTarget(reply, this.#address.origin, request, line);
    return target === undefined ? reply : this.#sendPatiently({ ...request, target }, line);
  }

  async #sendPatiently(request: HttpRequest, line: RequestLine): Promise<HttpReply> {
    const { maxRetries = defaultRetries, pause = sleep } = this.settings;
    for (let attempt = 1; ; attempt++) {
      const last = attempt > maxRetries;
      let reply: HttpReply | undefined;
      try {
        reply = await this.#transport.send(request);
        if (last || !isPassing(reply.status)) return reply;
      } catch (error) {
        if (last || !isPassingFailure(error)) throw unreachable(line, error);
      }
      await pause(pauseBefore(attempt, reply, Math.random));
    }
  }
}

/** What the server answered: nothing, JSON or bytes. */
export class Answer {
  /** `undefined` when the answer has no body, or when it is not JSON. */
  readonly json: unknown;
  readonly bytes: Buffer;

  constructor(json: unknown, bytes: Buffer) {
    this.json = json;
    this.bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.json === undefined && this.bytes.length === 0;
  }

  /** The envelope; of an answer without one, an envelope with nothing in it. */
  get secret(): Secret {
    return secretOf(this.json);
  }

  /** The data of the envelope, or the bare JSON of paths that have none. */
  get data(): JsonObject {
    return this.secret.data ?? Object.create(null);
  }
}

function answerOf({ status, headers, body }: HttpReply, line: RequestLine): Answer {
  const isJson = headers["content-type"]?.includes("json") ?? false;
  const json = isJson && body.length > 0 ? readJson(body, line) : undefined;
  if (status >= 200 && status < 300) return new Answer(json, body);
  throw new Refusal(line, status, messagesOf(json, body), json);
}

function readJson(body: Buffer, line: RequestLine): unknown {
  try {
    return parseJson(body.toString("utf8"));
  } catch (error) {
    throw new Unreachable(line, "NOT_JSON", `the answer is not JSON: ${(error as Error).message}`);
  }
}

const longestMessage = 1000;

function messagesOf(json: unknown, body: Buffer): readonly string[] {
  if (isJsonObject(json) && Array.isArray(json["errors"])) return json["errors"].map(String);
  const text = body.toString("utf8", 0, longestMessage).trim();
  return json !== undefined || text === "" ? [] : [text];
}

/** OpenSSL's own words are long, and a plain connection's are the system's codes. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed",
  ENOTFOUND: "no such host",
  EPROTO: "the TLS handshake failed",
};

function unreachable(line: RequestLine, error: unknown): Unreachable {
  const { code = "", message } = error as Error & { code?: string };
  return new Unreachable(line, code, reasons[code] ?? (message.split("\n")[0] || code));
}

/** A path is typed as people read it; slashes stay, and everything else that a URL reserves is escaped. */
const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
