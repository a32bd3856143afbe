/** Reads what a request sends: JSON whatever its content type says, a form, or the bytes of a format of its own. */
import { isUtf8 } from "node:buffer";
import { ApiError, invalidRequest } from "../api/errors.ts";
import type { OperationName } from "../api/path.ts";
import { isJsonObject, type JsonLimits, type JsonObject, parseJson } from "../lib/json.ts";
import { parseQuery } from "./query.ts";
import type { HttpRequest } from "./server.ts";

const mergePatch = "application/merge-patch+json";
const form = "application/x-www-form-urlencoded";

const rawTypes = new Set(["application/ocsp-request", "application/jose+json"]);

export interface Body {
  readonly body: JsonObject;
  readonly rawBody?: Uint8Array;
}

export async function readBody(http: HttpRequest, operation: OperationName, limits: JsonLimits): Promise<Body> {
  if (operation === "write" && rawTypes.has(mediaType(http.header("content-type")))) {
    return { body: Object.create(null), rawBody: await http.body() };
  }
  return { body: await readObject(http, operation, limits) };
}

async function readObject(http: HttpRequest, operation: OperationName, limits: JsonLimits): Promise<JsonObject> {
  const type = mediaType(http.header("content-type"));
  if (operation === "patch" && type !== mergePatch) {
    throw new ApiError(415, `PATCH requires Content-Type of ${mergePatch}, provided ${type}`);
  }
  const bytes = await http.body();
  if (bytes.length === 0) return Object.create(null);
  if (!isUtf8(bytes)) throw invalidRequest("failed to decode JSON input: the body is not valid UTF-8");
  const text = bytes.toString("utf8");
  if (type === form && !text.startsWith("{") && !text.startsWith("[")) return parseQuery(text);
  const value = parseJson(text, limits);
  if (value === null) return Object.create(null);
  if (!isJsonObject(value)) throw invalidRequest("failed to decode JSON input: expected a JSON object");
  return value;
}

const mediaType = (header = "") => (header.split(";", 1)[0] ?? "").trim().toLowerCase();
