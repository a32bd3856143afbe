/** A database that is spoken to over HTTP and answers in JSON. */
import { setTimeout } from "node:timers/promises";
import { invalidRequest } from "../../../api/errors.ts";
import { type Outbound, OutboundError, type OutboundReply, type OutboundTls } from "../../../api/outbound.ts";
import { isJsonObject, parseJson } from "../../../lib/json.ts";
import { networkFailure, refused, unanswered } from "../failure.ts";

export interface HttpAnswer {
  readonly status: number;
  /** Undefined where the body is not JSON. */
  readonly json: unknown;
}

export interface HttpServerParts {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly tls: OutboundTls;
  readonly outbound: Outbound;
}

/** A server that is busy, or that is just starting, is asked again after so many milliseconds. */
const pausesMs = [200, 800];
const timeoutMs = 10_000;

export class HttpServer {
  readonly #parts: HttpServerParts;
  readonly #base: string;

  constructor(parts: HttpServerParts) {
    this.#parts = parts;
    this.#base = baseOf(parts.url);
  }

  /** Answers what the server says, whatever its status; throws where it says nothing. */
  async call(method: string, path: string, body?: object): Promise<HttpAnswer> {
    for (const pause of pausesMs) {
      const { status, json } = await this.#attempt(method, path, body);
      if (status !== 429 && status !== 503) return { status, json };
      await setTimeout(pause);
    }
    return this.#attempt(method, path, body);
  }

  async #attempt(method: string, path: string, body: object | undefined): Promise<HttpAnswer> {
    const { authorization, tls, outbound } = this.#parts;
    const headers = {
      accept: "application/json",
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      return read(await outbound.request({ url: this.#base + path, method, headers, ...sent, tls, timeoutMs }));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw networkFailure(`cannot reach the server: ${error.message}`, error.code);
    }
  }
}

/** What a status that is no success means for the caller, with the server's own reason. */
export function failureOf({ status, json }: HttpAnswer, doing: string) {
  const reason = reasonIn(json);
  const words = `the server answered ${status} to ${doing}${reason === "" ? "" : `: ${reason}`}`;
  return status >= 500 || status === 429 ? unanswered(words) : refused(words);
}

function read({ status, body }: OutboundReply): HttpAnswer {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  try {
    return { status, json: parseJson(text) };
  } catch {
    return { status, json: undefined };
  }
}

const longestReason = 500;

/** Wherever servers put it: `error.reason`, `error[0].message`, `message`, or `error` itself. */
function reasonIn(json: unknown): string {
  if (!isJsonObject(json)) return "";
  const error = Array.isArray(json["error"]) ? json["error"][0] : json["error"];
  const candidates = isJsonObject(error) ? [error["reason"], error["message"]] : [error, json["message"]];
  const found = candidates.find((candidate) => typeof candidate === "string");
  return typeof found === "string" ? found.slice(0, longestReason) : "";
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw invalidRequest("url must be a full URL with scheme and port, such as https://search.example.com:9200");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidRequest("url must hold no user name or password; they have fields of their own");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
