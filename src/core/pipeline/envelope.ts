/** The envelope around an answer: eight keys that are always there, in this order. */
import { absent } from "../../api/errors.ts";
import { Answered, Authenticated, Leased, Perishable, WrappedAnswer } from "../../api/reply.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { Exchange } from "./exchange.ts";

export interface EnvelopedAnswer {
  readonly status: number;
  /** Undefined for an answer without a body. */
  readonly body: object | undefined;
}

export interface Envelope {
  readonly request_id: string;
  readonly lease_id: string;
  readonly renewable: boolean;
  readonly lease_duration: number;
  readonly data: object | null;
  readonly wrap_info: object | null;
  readonly warnings: readonly string[] | null;
  readonly auth: object | null;
}

/** What leaves for an answer of a handler; a raw reply leaves as it is. */
export function envelopeFor(exchange: Exchange, answer: unknown): EnvelopedAnswer {
  if (answer instanceof Answered) return dataAnswer(exchange, answer.data as JsonObject | undefined, answer.status);
  if (answer instanceof Authenticated) return { status: 200, body: envelope(exchange, { auth: answer.auth }) };
  if (answer instanceof Perishable) {
    return { status: 200, body: envelope(exchange, { data: answer.data as object, lease_duration: answer.seconds }) };
  }
  if (answer instanceof WrappedAnswer) {
    // A wrapped answer has no id of its own request, nor anything else that could tell what is inside.
    return { status: 200, body: { ...envelope(exchange, { wrap_info: answer.info }), request_id: "", warnings: null } };
  }
  if (answer instanceof Leased) return leasedAnswer(exchange, answer);
  return dataAnswer(exchange, answer as JsonObject | undefined, 200);
}

function leasedAnswer(exchange: Exchange, { data, registered }: Leased<unknown>): EnvelopedAnswer {
  const { id = "", seconds = 0, renewable = false } = registered ?? {};
  const body = envelope(exchange, { data: data as object, lease_id: id, lease_duration: seconds, renewable });
  return { status: 200, body };
}

function dataAnswer(exchange: Exchange, data: JsonObject | undefined, status: number): EnvelopedAnswer {
  const { request, received, match, warnings } = exchange;
  if (data === undefined && warnings.length === 0) return { status: status === 200 ? 204 : status, body: undefined };
  if (isList(request.operation) && isEmptyList(data) && warnings.length === 0) throw absent();
  if (match?.route.path.bare) return { status, body: data ?? {} };
  const body = envelope(exchange, { data: data ?? null });
  // Older clients know of no namespaces in paths.
  const isOnTop = match?.route.path.dataOnTop && request.path === received.path;
  return { status, body: isOnTop && data ? { ...data, ...body } : body };
}

const envelope = ({ request, warnings }: Exchange, parts: Partial<Envelope>): Envelope => ({
  request_id: request.id,
  lease_id: parts.lease_id ?? "",
  renewable: parts.renewable ?? false,
  lease_duration: parts.lease_duration ?? 0,
  data: parts.data ?? null,
  wrap_info: parts.wrap_info ?? null,
  warnings: warnings.length > 0 ? warnings : null,
  auth: parts.auth ?? null,
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
