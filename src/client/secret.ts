/** The envelope of an answer: data, a lease, a new token or a wrapping token, and warnings. */
import { isJsonObject, type JsonObject } from "../lib/json.ts";

export interface Secret {
  readonly request_id: string;
  readonly lease_id: string;
  readonly renewable: boolean;
  readonly lease_duration: number;
  readonly data: JsonObject | null;
  readonly warnings: readonly string[] | null;
  readonly auth: TokenGrant | null;
  readonly wrap_info: WrappingToken | null;
}

export interface TokenGrant {
  readonly client_token: string;
  readonly accessor: string;
  readonly policies: readonly string[];
  readonly token_policies?: readonly string[];
  readonly identity_policies?: readonly string[];
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly lease_duration: number;
  readonly renewable: boolean;
  readonly entity_id?: string;
  readonly token_type?: string;
  readonly mfa_requirement?: JsonObject | null;
}

export interface WrappingToken {
  readonly token: string;
  readonly accessor: string;
  readonly ttl: number;
  readonly creation_time: string;
  readonly creation_path: string;
  readonly wrapped_accessor?: string;
}

/** Reads an envelope; what is not one (`sys/health`, say) becomes the data of one. */
export function secretOf(json: unknown): Secret {
  const body = isJsonObject(json) ? json : {};
  const isEnvelope = "data" in body || "auth" in body || "wrap_info" in body || "warnings" in body;
  const envelope = isEnvelope ? body : { data: isJsonObject(json) ? json : null };
  return {
    request_id: textOf(envelope["request_id"]),
    lease_id: textOf(envelope["lease_id"]),
    renewable: envelope["renewable"] === true,
    lease_duration: numberOf(envelope["lease_duration"]),
    data: objectOf(envelope["data"]),
    warnings: Array.isArray(envelope["warnings"]) ? envelope["warnings"].map(String) : null,
    auth: objectOf(envelope["auth"]) as unknown as TokenGrant | null,
    wrap_info: objectOf(envelope["wrap_info"]) as unknown as WrappingToken | null,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
const objectOf = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);
