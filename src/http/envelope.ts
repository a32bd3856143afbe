/** Writes what the pipeline answered as HTTP: the envelope, bare data, bytes, or an error. */
import { ApiError } from "../api/errors.ts";
import { RawReply } from "../api/reply.ts";
import { envelopeFor } from "../core/pipeline/envelope.ts";
import type { Exchange } from "../core/pipeline/exchange.ts";
import { JsonError } from "../lib/json.ts";
import type { HttpReply } from "./server.ts";

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" } as const;

/** The answer to a request that was handled. */
export function rendered(exchange: Exchange, answer: unknown): HttpReply {
  if (answer instanceof RawReply) return raw(answer);
  const { status, body } = envelopeFor(exchange, answer);
  return body === undefined ? { status, headers: jsonHeaders, body: undefined } : json(status, body);
}

/** Whatever went wrong. Words reach the caller only from errors that were written for callers. */
export function failed(error: unknown, onUnexpected: (error: unknown) => void): HttpReply {
  if (error instanceof ApiError) return errorReply(error.status, error.messages, error.data, error.headers);
  if (error instanceof JsonError) return errorReply(400, [`failed to decode JSON input: ${error.message}`]);
  onUnexpected(error);
  return errorReply(500, ["internal error"]);
}

export function errorReply(
  status: number,
  errors: readonly string[],
  data?: object,
  headers?: Readonly<Record<string, string>>,
): HttpReply {
  const reply = json(status, data === undefined ? { errors } : { errors, data });
  return headers ? { ...reply, headers: { ...reply.headers, ...headers } } : reply;
}

const json = (status: number, value: unknown): HttpReply => ({
  status,
  headers: jsonHeaders,
  body: `${JSON.stringify(value)}\n`,
});

const raw = ({ status, headers, body }: RawReply): HttpReply => ({
  status,
  headers: { "cache-control": "no-store", ...headers },
  body,
});
