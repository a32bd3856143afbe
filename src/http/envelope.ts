/** Writes what the pipeline answered as HTTP: the envelope with its eight keys, bare data, bytes, or an error. */
import { ApiError } from "../api/errors.ts";
import { Answered, Authenticated, Leased, Perishable, RawReply } from "../api/reply.ts";
import type { Exchange } from "../core/pipeline/exchange.ts";
import { JsonError, type JsonObject } from "../lib/json.ts";
import type { HttpReply } from "./server.ts";

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" } as const;

/** The answer to a request that was handled. */
export function rendered(exchange: Exchange, answer: unknown): HttpReply {
  if (answer instanceof RawReply) return raw(answer);
  if (answer instanceof Answered) return enveloped(exchange, answer.data as JsonObject | undefined, answer.status);
  if (answer instanceof Authenticated) return json(200, envelopeOf(exchange, undefined, answer));
  if (answer instanceof Perishable) {
    return json(200, { ...envelopeOf(exchange, answer.data as JsonObject), lease_duration: answer.seconds });
  }
  if (answer instanceof Leased) return enveloped(exchange, answer.data as JsonObject);
  return enveloped(exchange, answer as JsonObject | undefined);
}

function enveloped(exchange: Exchange, data: JsonObject | undefined, status = 200): HttpReply {
  const { request, match, warnings } = exchange;
  if (data === undefined && warnings.length === 0) {
    return { status: status === 200 ? 204 : status, headers: jsonHeaders, body: undefined };
  }
  if (isList(request.operation) && isEmptyList(data) && warnings.length === 0) return errorReply(404, []);
  if (match?.route.path.bare) return json(status, data);
  const envelope = envelopeOf(exchange, data);
  return json(status, match?.route.path.dataOnTop && data ? { ...data, ...envelope } : envelope);
}

const envelopeOf = ({ request, warnings }: Exchange, data: JsonObject | undefined, authenticated?: Authenticated) => ({
  request_id: request.id,
  lease_id: "",
  renewable: false,
  lease_duration: 0,
  data: data ?? null,
  wrap_info: null,
  warnings: warnings.length > 0 ? warnings : null,
  auth: authenticated?.auth ?? null,
});

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

const isList = (operation: string) => operation === "list" || operation === "scan";

/** No keys and nothing else to tell: clients expect a 404. */
function isEmptyList(data: JsonObject | undefined): boolean {
  if (!data) return true;
  const { keys, key_info } = data as { keys?: unknown; key_info?: object };
  if (!Array.isArray(keys) || keys.length > 0) return false;
  return Object.keys(data).every((name) => name === "keys" || name === "key_info") && isBlank(key_info);
}

const isBlank = (value: object | undefined | null) =>
  value === undefined || value === null || Object.keys(value).length === 0;
