/** Turns an HTTP request into one for the pipeline, and what comes back into an HTTP answer. */
import { invalidRequest, unsupportedOperation } from "../api/errors.ts";
import type { OperationName } from "../api/path.ts";
import type { CorsSettings } from "../core/cors/cors-settings.ts";
import { type Exchange, exchangeFor, type Request, type Source } from "../core/pipeline/exchange.ts";
import { parseDuration } from "../lib/duration.ts";
import type { JsonLimits, JsonObject } from "../lib/json.ts";
import { readBody } from "./body.ts";
import { decideCors } from "./cors.ts";
import { errorReply, failed, rendered } from "./envelope.ts";
import { isWrite, operationOf } from "./operation.ts";
import { parseQuery, readSwitch } from "./query.ts";
import { cleanPath } from "./request-path.ts";
import type { HttpReply, HttpRequest } from "./server.ts";
import { serviceHeader, tokenOf } from "./token-header.ts";
import { welcome } from "./welcome.ts";

/** What the core offers to HTTP. */
export interface Answering {
  handle(exchange: Exchange): Promise<unknown>;
  help(exchange: Exchange): Promise<unknown>;
  cors(): Promise<CorsSettings>;
}

export interface HandlerOptions {
  readonly kernel: Answering;
  readonly now: () => number;
  readonly limits: JsonLimits;
  /** Paths, without `/v1/`, that this listener acts as if it did not have. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** Paths of the core that this listener answers without a token, also while the server is sealed. */
  readonly openPaths?: ReadonlySet<string> | undefined;
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

const apiPrefix = "/v1/";

export function httpHandler(options: HandlerOptions) {
  return async (http: HttpRequest): Promise<HttpReply> => {
    const reply = await respond(http, options);
    const namespace = http.header("x-service-namespace") ?? http.header("x-vault-namespace");
    return namespace ? withHeaders(reply, { "x-service-namespace": namespace }) : reply;
  };
}

async function respond(http: HttpRequest, options: HandlerOptions): Promise<HttpReply> {
  const { id } = http;
  try {
    const cleaned = cleanPath(http.rawPath);
    if (cleaned.redirect !== undefined) return redirect(cleaned.redirect, http.query);
    if (!cleaned.path.startsWith(apiPrefix)) return outsideApi(cleaned.path);
    const path = cleaned.path.slice(apiPrefix.length);
    if (options.isHidden?.(path)) throw unsupportedOperation();
    const origin = http.header("origin");
    return await (origin === undefined
      ? answer(http, id, path, options)
      : crossOrigin(http, origin, id, path, options));
  } catch (error) {
    return failed(error, (cause) => options.onUnexpected(cause, id));
  }
}

const withHeaders = (reply: HttpReply, headers: HttpReply["headers"]): HttpReply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});

/** Browsers say where a page comes from; whether it may call is the operator's decision. */
async function crossOrigin(http: HttpRequest, origin: string, id: string, path: string, options: HandlerOptions) {
  const requestMethod = http.header("access-control-request-method");
  const decision = decideCors(await options.kernel.cors(), { method: http.method, origin, requestMethod });
  if (decision.kind === "refused") return errorReply(decision.status, decision.errors);
  if (decision.kind === "preflight") return { status: 200, headers: decision.headers, body: undefined };
  const reply = await answer(http, id, path, options).catch((error: unknown) =>
    failed(error, (cause) => options.onUnexpected(cause, id)),
  );
  return decision.kind === "allowed" ? withHeaders(reply, decision.headers) : reply;
}

async function answer(http: HttpRequest, id: string, path: string, options: HandlerOptions): Promise<HttpReply> {
  const query = http.query === "" ? undefined : parseQuery(http.query);
  const switches = {
    list: readSwitch(query, "list"),
    scan: readSwitch(query, "scan"),
    help: readSwitch(query, "help"),
  };
  const operation = operationOf(http.method, switches);
  const request: Request = {
    id,
    operation,
    namespace: namespaceOf(http),
    path: operationPath(path, operation),
    ...(isWrite(operation)
      ? { ...(await readBody(http, operation, options.limits)), query }
      : { body: withoutSwitches(query) }),
    token: tokenOf(http),
    wrapSeconds: wrapSeconds(serviceHeader(http, "wrap-ttl")),
    now: new Date(options.now()),
    source: new HttpSource(http, options.openPaths),
  };
  const exchange = exchangeFor(request);
  return rendered(exchange, await (switches.help ? options.kernel.help(exchange) : options.kernel.handle(exchange)));
}

/** A list asks for what is below its path, and policies tell it by the slash at its end. */
function operationPath(path: string, operation: OperationName): string {
  if (isWrite(operation) && path.endsWith("/")) throw invalidRequest("cannot write to a path ending in '/'");
  const isList = operation === "list" || operation === "scan";
  return isList && !path.endsWith("/") ? `${path}/` : path;
}

function wrapSeconds(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  try {
    const seconds = parseDuration(header);
    if (seconds >= 0) return seconds === 0 ? undefined : seconds;
  } catch {
    // Said below, in the same words as for a negative one.
  }
  throw invalidRequest("error parsing X-Service-Wrap-TTL header: expected seconds, or a duration such as 5m");
}

/** `team/web/` and `/team/web` are `team/web`; `root` is the one that needs no name. */
function namespaceOf(http: HttpRequest): string | undefined {
  const written = serviceHeader(http, "namespace");
  if (written === undefined) return undefined;
  // Node gives each byte of a header as one character.
  const text = Buffer.from(written, "latin1")
    .toString("utf8")
    .replace(/^\/|\/$/g, "");
  return text === "" || text === "root" ? undefined : text;
}

const nothing: JsonObject = Object.freeze(Object.create(null));

function withoutSwitches(query: JsonObject | undefined): JsonObject {
  if (!query) return nothing;
  delete query["list"];
  delete query["scan"];
  delete query["help"];
  return query;
}

/** A class, since each object literal with a getter is a shape of its own, which keeps its request from being collected. */
class HttpSource implements Source {
  readonly #http: HttpRequest;
  readonly openPaths: HandlerOptions["openPaths"];

  constructor(http: HttpRequest, openPaths: HandlerOptions["openPaths"]) {
    this.#http = http;
    this.openPaths = openPaths;
  }

  get remoteAddress(): string {
    return this.#http.remoteAddress;
  }

  header(name: string): string | undefined {
    return this.#http.header(name);
  }

  clientCertificates(): readonly Uint8Array[] {
    return this.#http.clientCertificates;
  }
}

const redirect = (location: string, query: string): HttpReply => ({
  status: 307,
  headers: { location: query === "" ? location : `${location}?${query}` },
  body: undefined,
});

const outsideApi = (path: string): HttpReply =>
  path === "/" || path === "/ui/" ? welcome : path === "/ui" ? redirect("/ui/", "") : errorReply(404, []);
