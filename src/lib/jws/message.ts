/** Reads a signed message (RFC 7515) in compact or flattened form; nothing is verified yet. */
import { isUtf8 } from "node:buffer";
import { isJsonObject, JsonError, type JsonLimits, type JsonObject, parseJson } from "../json.ts";
import { decodeBase64Url } from "./base64url.ts";
import { JwsError } from "./error.ts";

export interface Jws {
  readonly header: JwsHeader;
  readonly payload: Buffer;
  readonly signature: Buffer;
  /** The bytes that the signature is over. */
  readonly signed: Buffer;
}

export interface JwsHeader {
  readonly alg: string;
  readonly kid: string | undefined;
  /** All of it, for parameters that only some uses have (`nonce`, `url`, `jwk`). */
  readonly all: Readonly<JsonObject>;
}

const longest = 262_144;
const jsonLimits: JsonLimits = { depth: 64, strings: 20_000 };

/** `header.payload.signature`, each in canonical base64url. */
export function parseCompactJws(text: string): Jws {
  requireLength(text.length);
  const [header, payload, signature, ...more] = text.split(".", 4);
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw new JwsError("malformed", "expected three parts with a dot between them");
  }
  return message(header, payload, signature);
}

/** `{ protected, payload, signature }`. Parameters that are not protected by the signature are refused. */
export function parseFlattenedJws(body: unknown): Jws {
  if (!isJsonObject(body)) throw new JwsError("malformed", "expected a JSON object");
  if (body["header"] !== undefined) throw new JwsError("malformed", "an unprotected header is not allowed");
  if (body["signatures"] !== undefined) throw new JwsError("malformed", "more than one signature is not allowed");
  const { protected: header, payload, signature } = body;
  if (typeof header !== "string" || typeof payload !== "string" || typeof signature !== "string") {
    throw new JwsError("malformed", "expected the strings protected, payload and signature");
  }
  requireLength(header.length + payload.length + signature.length);
  return message(header, payload, signature);
}

/** The payload as one JSON object, in which no name stands twice. */
export const jsonPayload = ({ payload }: Jws): JsonObject => jsonObject(payload, "payload");

function message(header: string, payload: string, signature: string): Jws {
  return {
    header: readHeader(decodeBase64Url(header, "header")),
    payload: decodeBase64Url(payload, "payload"),
    signature: decodeBase64Url(signature, "signature"),
    signed: Buffer.from(`${header}.${payload}`, "latin1"),
  };
}

function readHeader(bytes: Buffer): JwsHeader {
  const all = jsonObject(bytes, "header");
  const { alg, kid } = all;
  if (typeof alg !== "string") throw new JwsError("malformed", "the header names no algorithm (alg)");
  if (kid !== undefined && typeof kid !== "string") throw new JwsError("malformed", "the key id (kid) is not a string");
  // A parameter that must be understood is refused: none of them is (RFC 7515, 4.1.11).
  if (all["crit"] !== undefined)
    throw new JwsError("unsupported", "critical header parameters (crit) are not supported");
  if (all["b64"] !== undefined)
    throw new JwsError("unsupported", "payloads that are not encoded (b64) are not supported");
  return { alg, kid, all };
}

function jsonObject(bytes: Buffer, what: string): JsonObject {
  if (!isUtf8(bytes)) throw new JwsError("malformed", `the ${what} is not UTF-8`);
  const value = parsed(bytes.toString("utf8"), what);
  if (!isJsonObject(value)) throw new JwsError("malformed", `the ${what} is not a JSON object`);
  return value;
}

function parsed(text: string, what: string): unknown {
  try {
    return parseJson(text, jsonLimits);
  } catch (error) {
    if (error instanceof JsonError) throw new JwsError("malformed", `the ${what} is not good JSON: ${error.message}`);
    throw error;
  }
}

function requireLength(length: number): void {
  if (length > longest) throw new JwsError("malformed", `a signed message has at most ${longest} characters`);
}
