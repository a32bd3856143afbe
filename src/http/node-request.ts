/** A request as node received it, over HTTP/1.1 or HTTP/2, in the form that the layers above see; and its answer. */
import { randomUUID } from "node:crypto";
import { IncomingMessage, type ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { ApiError } from "../api/errors.ts";
import { normalAddress } from "../lib/cidr.ts";
import { transportError } from "./error-reply.ts";
import { clientAddress } from "./forwarded-for.ts";
import type { InFlight } from "./in-flight.ts";
import type { ListenerSettings } from "./listener-options.ts";
import { ClientGone, collectPayload, PayloadTooLarge } from "./payload.ts";
import type { AnnouncedEndpoints } from "./proxy-protocol.ts";
import { splitTarget, type Target } from "./request-target.ts";
import type { ResponseHeaders } from "./response-headers.ts";
import type { HttpReply, HttpRequest, ListenerLog } from "./server.ts";
import { clientCertificatesOf } from "./tls.ts";

export type NodeMessage = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** What the requests of one listener share. */
export interface RequestContext {
  readonly settings: ListenerSettings;
  /** Changes when the listener is reloaded. */
  headers: ResponseHeaders;
  readonly inFlight: InFlight;
  readonly announced: AnnouncedEndpoints | undefined;
  readonly log: ListenerLog;
}

const noBody = Promise.resolve(Buffer.alloc(0));
const noValues: readonly string[] = Object.freeze([]);

/** How long the rest of a body may come after the answer, before the connection is closed. */
const patience = 5_000;
/** Bytes per millisecond that a client must read of a large answer. */
const slowestReader = 64;

export class NodeRequest implements HttpRequest {
  readonly id = randomUUID();
  /** When it is given up, by the clock of the requests in flight. */
  deadline: number;
  private readonly context: RequestContext;
  private readonly message: NodeMessage;
  private readonly response: NodeResponse;
  private readonly started: number;
  /** The clock of the requests in flight is too coarse to tell how long one took. */
  private readonly arrived = performance.now();
  private readonly awaitsContinue: boolean;
  private phase: "working" | "reading" | "answered" = "working";
  private splitUrl: Target | undefined;
  private forwardedFrom: string | undefined;
  private payload: Promise<Buffer> | undefined;
  private controller: AbortController | undefined;

  constructor(context: RequestContext, message: NodeMessage, response: NodeResponse, awaitsContinue: boolean) {
    this.context = context;
    this.message = message;
    this.response = response;
    this.awaitsContinue = awaitsContinue;
    this.started = context.inFlight.now;
    this.deadline = this.started + context.settings.limits.requestDuration;
  }

  get method(): string {
    return this.message.method ?? "";
  }

  get rawPath(): string {
    return this.target.rawPath;
  }

  get query(): string {
    return this.target.query;
  }

  get rawHeaders(): readonly string[] {
    return this.message.rawHeaders;
  }

  header(name: string): string | undefined {
    const value: unknown = this.message.headers[name];
    if (typeof value === "string") return value;
    return Array.isArray(value) ? value.join(", ") : undefined;
  }

  headerValues(name: string): readonly string[] {
    const { rawHeaders } = this.message;
    let values: string[] | undefined;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const candidate = rawHeaders[i]!;
      if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
      const value = rawHeaders[i + 1]!;
      if (values === undefined) values = [value];
      else values.push(value);
    }
    return values ?? noValues;
  }

  body(): Promise<Buffer> {
    if (this.payload === undefined) {
      this.payload = this.hasBody() ? this.readBody() : noBody;
      this.payload.catch(() => {}); // a handler that has failed meanwhile does not wait for it
    }
    return this.payload;
  }

  get remoteAddress(): string {
    return this.forwardedFrom ?? this.peerAddress;
  }

  get remotePort(): number {
    return this.announced?.remotePort ?? this.socket?.remotePort ?? 0;
  }

  get localAddress(): string {
    return plain(this.announced?.localAddress ?? this.socket?.localAddress);
  }

  get secure(): boolean {
    return this.context.settings.tls !== undefined;
  }

  get clientCertificates(): readonly Buffer[] {
    return this.secure && this.socket ? clientCertificatesOf(this.socket as TLSSocket).chain : [];
  }

  get clientVerified(): boolean {
    return this.secure && this.socket !== undefined && clientCertificatesOf(this.socket as TLSSocket).verified;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      const leave = () => this.phase !== "answered" && this.controller?.abort(new ClientGone());
      if (this.response.destroyed) leave();
      else this.response.once("close", leave);
    }
    return this.controller.signal;
  }

  /** What must be right before anybody looks at the request; throws what to answer. */
  check(): void {
    if (this.message.httpVersion === "1.1" && this.message.headers.host === undefined) {
      throw new ApiError(400, "the request has no Host header");
    }
    const { forwardedFor } = this.context.settings;
    if (forwardedFor === undefined) return;
    this.forwardedFrom = clientAddress(forwardedFor, this.peerAddress, this.headerValues("x-forwarded-for"));
  }

  reply(reply: HttpReply): void {
    if (this.phase === "answered") return;
    this.phase = "answered";
    if (this.response.destroyed) {
      this.context.inFlight.delete(this);
      return;
    }
    try {
      this.write(reply);
    } catch (error) {
      this.context.log.error("an answer could not be sent", error);
      if (this.response.headersSent) this.hangUp();
      else this.write(transportError(500, "internal error"));
    }
  }

  /** Words reach the client only from errors that were written for clients. */
  fail(error: unknown): void {
    if (error instanceof ApiError) {
      this.reply(transportError(error.status, ...error.messages));
      return;
    }
    this.context.log.error("a request failed", error);
    this.reply(transportError(500, "internal error"));
  }

  /** The deadline is over. */
  expire(): void {
    if (this.phase === "answered") {
      this.hangUp(); // a client that does not read its answer, or does not stop sending
      return;
    }
    const error =
      this.phase === "reading"
        ? new ApiError(408, "the request did not arrive in time")
        : new ApiError(504, "the request took longer than max_request_duration");
    this.fail(error);
    this.controller?.abort(error);
  }

  /** Whether it uses this connection of HTTP/1.1, and is being answered. */
  isAnswering(socket: Socket): boolean {
    return this.phase === "answered" && this.message instanceof IncomingMessage && this.message.socket === socket;
  }

  private get target(): Target {
    this.splitUrl ??= splitTarget(this.message.url ?? "");
    return this.splitUrl;
  }

  private get socket(): Socket | undefined {
    if (this.message instanceof IncomingMessage) return this.message.socket;
    return this.message.stream.session?.socket;
  }

  private get announced() {
    return this.context.announced && this.socket && this.context.announced(this.socket);
  }

  private get peerAddress(): string {
    return plain(this.announced?.remoteAddress ?? this.socket?.remoteAddress);
  }

  private hasBody(): boolean {
    if (!(this.message instanceof IncomingMessage)) return !this.message.stream.endAfterHeaders;
    const { headers } = this.message;
    const length = headers["content-length"];
    return length === undefined ? headers["transfer-encoding"] !== undefined : length !== "0";
  }

  private readBody(): Promise<Buffer> {
    const { readTimeout, requestSize } = this.context.settings.limits;
    if (Number(this.message.headers["content-length"]) > requestSize) return Promise.reject(new PayloadTooLarge());
    if (this.phase === "answered") return Promise.reject(new ClientGone());
    if (this.awaitsContinue) this.response.writeContinue();
    const workDeadline = this.deadline;
    this.deadline = Math.min(workDeadline, this.started + readTimeout);
    this.phase = "reading";
    return collectPayload(this.message, requestSize, () => {
      if (this.phase !== "reading") return;
      this.phase = "working";
      this.deadline = workDeadline;
    });
  }

  private write({ status, headers, body }: HttpReply): void {
    const { response } = this;
    const added = this.context.headers.for(status);
    const list = [...added.list];
    for (const name of Object.keys(headers)) {
      if (added.names.has(name)) continue;
      const value = headers[name]!;
      if (typeof value === "string") list.push(name, value);
      else for (const each of value) list.push(name, each);
    }
    const size = body === undefined ? 0 : typeof body === "string" ? Buffer.byteLength(body) : body.length;
    if (status !== 204 && status !== 304) list.push("content-length", String(size));
    if (this.context.inFlight.isDraining && this.message.httpVersionMajor === 1) list.push("connection", "close");
    // The two kinds of response agree on what is called here.
    (response as ServerResponse).writeHead(status, list);
    (response as ServerResponse).end(this.method === "HEAD" ? undefined : body);
    this.finish(size);
    this.context.log.answered?.(this, status, performance.now() - this.arrived);
  }

  /** It stays in flight until its answer has left and its body has come, or its deadline is over. */
  private finish(size: number): void {
    const { inFlight, settings } = this.context;
    const { message, response } = this;
    const isSent = response.writableLength === 0;
    const isReceived = message.complete || !this.hasBody();
    if (isSent && isReceived) {
      inFlight.delete(this);
      return;
    }
    this.deadline = inFlight.now + (isSent ? patience : settings.limits.writeTimeout + size / slowestReader);
    const pending = [isSent ? [] : response, isReceived ? [] : message].flat();
    let open = pending.length;
    for (const each of pending) each.once("close", () => --open === 0 && inFlight.delete(this));
    // An early answer would be lost if the connection were closed while the client still sends.
    if (!isReceived) message.resume();
  }

  private hangUp(): void {
    if (this.message instanceof IncomingMessage) this.message.socket.destroy();
    else this.message.stream.close();
  }
}

/** IPv4 clients of a socket that listens on IPv6 look like `::ffff:10.0.0.1`. */
function plain(address: string | undefined): string {
  if (address === undefined) return "";
  return address.includes(":") ? (normalAddress(address) ?? address) : address;
}
