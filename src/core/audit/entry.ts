/** Audit entries: what was asked, by whom, with what right, and what was answered. Empty values are left out. */
import { ApiError } from "../../api/errors.ts";
import { Answered, Authenticated, Leased, Perishable, RawReply, WrappedAnswer } from "../../api/reply.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { Namespace } from "../namespaces/namespace.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { homeOf, secondsLeft } from "../tokens/token.ts";
import type { AuditedHeaders } from "./audit-table.ts";
import { type Hash, hashedStrings } from "./hashing.ts";

export interface EntryOptions {
  readonly hash: Hash;
  /** Records everything readable. */
  readonly raw: boolean;
  readonly hashAccessors: boolean;
  /** Numbers in place of the names that a list gives. */
  readonly elideLists: boolean;
  readonly headers: AuditedHeaders;
}

export const requestEntry = (exchange: Exchange, options: EntryOptions, error?: unknown) =>
  compact({
    time: exchange.request.now.toISOString(),
    type: "request",
    auth: authPart(exchange, options),
    request: requestPart(exchange, options),
    error: errorText(error),
  });

export const responseEntry = (exchange: Exchange, outcome: Outcome, options: EntryOptions) =>
  compact({
    time: outcome.time.toISOString(),
    type: "response",
    auth: authPart(exchange, options),
    request: requestPart(exchange, options),
    response: "answer" in outcome ? responsePart(exchange, outcome.answer, options) : undefined,
    error: "error" in outcome ? errorText(outcome.error) : undefined,
  });

export type Outcome = { readonly time: Date } & ({ readonly answer: unknown } | { readonly error: unknown });

function authPart({ token, request, sudo, granting, verdictAllowed }: Exchange, options: EntryOptions) {
  if (!token) return undefined;
  return compact({
    client_token: secret(request.token, options),
    accessor: accessor(token.accessor, options),
    display_name: token.display_name,
    policies: token.policies,
    token_policies: token.policies,
    policy_results: compact({
      allowed: verdictAllowed,
      granting_policies: granting.map((name) => compact({ name, ...namespaceNames(homeOf(token)), type: "acl" })),
      sudo,
    }),
    metadata: token.meta,
    num_uses: token.num_uses || undefined,
    entity_id: token.entity_id,
    token_type: token.type,
    token_ttl: secondsLeft(token, request.now) || undefined,
    token_issue_time: new Date(token.created).toISOString(),
  });
}

const namespaceNames = ({ id, path }: Namespace) => ({ namespace_id: id, namespace_path: path });

function requestPart(exchange: Exchange, options: EntryOptions) {
  const { request, namespace, mount, token, accessOperation } = exchange;
  return compact({
    id: request.id,
    operation: accessOperation ?? request.operation,
    mount_point: mount?.path,
    mount_type: mount?.entry.type,
    mount_accessor: mount?.entry.accessor,
    mount_class: mount && (mount.path.startsWith("auth/") ? "auth" : "secret"),
    client_token: secret(request.token, options),
    client_token_accessor: accessor(token?.accessor ?? "", options),
    namespace: compact({ id: namespace.id, path: namespace.path }),
    path: request.path,
    data: data(request.body, options, mount?.entry.config.audit_non_hmac_request_keys),
    remote_address: request.source.remoteAddress,
    wrap_ttl: request.wrapSeconds,
    headers: headersPart(exchange, options),
  });
}

function responsePart(exchange: Exchange, answer: unknown, options: EntryOptions) {
  const clear = exchange.mount?.entry.config.audit_non_hmac_response_keys;
  const place = compact({ mount_point: exchange.mount?.path, mount_type: exchange.mount?.entry.type });
  const warnings = exchange.warnings;
  if (answer instanceof Authenticated) return compact({ auth: shownAuth(answer, options), warnings, ...place });
  if (answer instanceof WrappedAnswer) {
    const { token, accessor: wrapping, wrapped_accessor, ...info } = answer.info;
    const tokens = { token: secret(token, options), accessor: accessor(wrapping, options) };
    return compact({
      wrap_info: compact({ ...info, ...tokens, wrapped_accessor: accessor(wrapped_accessor ?? "", options) }),
      ...place,
    });
  }
  if (answer instanceof RawReply) {
    return compact({ data: { http_status_code: answer.status, http_body: rawBody(answer, options) }, ...place });
  }
  if (answer instanceof Leased) {
    const secretPart = answer.registered && { lease_id: answer.registered.id };
    return compact({ secret: secretPart, data: data(answer.data, options, clear), warnings, ...place });
  }
  const inner = answer instanceof Answered || answer instanceof Perishable ? answer.data : answer;
  return compact({ data: data(elided(inner, exchange, options), options, clear), warnings, ...place });
}

function shownAuth({ auth }: Authenticated, options: EntryOptions) {
  const { client_token, accessor: shown, mfa_requirement, ...rest } = auth;
  return compact({ ...rest, client_token: secret(client_token, options), accessor: accessor(shown, options) });
}

const rawBody = ({ body }: RawReply, { hash, raw }: EntryOptions) => {
  const text = body === undefined ? "" : Buffer.from(body).toString("base64");
  return raw ? text : hash(text);
};

function elided(answer: unknown, { request }: Exchange, { elideLists }: EntryOptions): unknown {
  const isList = request.operation === "list" || request.operation === "scan";
  if (!elideLists || !isList || !isJsonObject(answer)) return answer;
  const { keys, key_info } = answer as { keys?: unknown; key_info?: unknown };
  return {
    ...answer,
    ...(Array.isArray(keys) && { keys: keys.length }),
    ...(isJsonObject(key_info) && { key_info: Object.keys(key_info).length }),
  };
}

function headersPart({ request }: Exchange, { headers, hash, raw }: EntryOptions) {
  const shown: Record<string, string[]> = {};
  for (const [name, { hmac }] of Object.entries(headers)) {
    const value = request.source.header(name);
    if (value !== undefined) shown[name] = [hmac && !raw ? hash(value) : value];
  }
  return shown;
}

function data(value: unknown, { hash, raw }: EntryOptions, clear: readonly string[] = []): unknown {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined;
  return raw ? value : hashedStrings(value, hash, new Set(clear));
}

const secret = (text: string | undefined, { hash, raw }: EntryOptions) =>
  text === undefined || text === "" ? undefined : raw ? text : hash(text);

const accessor = (text: string, { hash, raw, hashAccessors }: EntryOptions) =>
  text === "" ? undefined : raw || !hashAccessors ? text : hash(text);

/** Words that were not written for callers could hold anything. */
const errorText = (error: unknown) =>
  error === undefined
    ? undefined
    : error instanceof ApiError
      ? error.messages.join("; ") || `status ${error.status}`
      : "internal error";

function compact(fields: Record<string, unknown>): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) if (!isEmpty(value)) kept[name] = value;
  return kept;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
