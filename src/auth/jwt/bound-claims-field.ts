/** The field of bound claims: a map of claims to a value or a list of values. Command lines send it as text. */
import { z } from "zod";
import { readDictionary } from "../../api/coerce.ts";
import { isJsonObject, JsonError, type JsonObject, parseJson } from "../../lib/json.ts";
import { plainClaims } from "./claims.ts";

export const boundClaims = (description: string) =>
  z
    .preprocess(
      read,
      z.custom<JsonObject>(isJsonObject, { error: () => "expected a map of claims to a value or a list of values" }),
    )
    .meta({ description, schema: { type: "object", additionalProperties: true } });

function read(raw: unknown): unknown {
  if (isJsonObject(raw)) return plainClaims({ ...raw });
  if (typeof raw !== "string" || !raw.trim().startsWith("{")) return readDictionary(raw);
  try {
    const parsed = parseJson(raw);
    return isJsonObject(parsed) ? plainClaims(parsed) : raw;
  } catch (error) {
    if (error instanceof JsonError) return raw;
    throw error;
  }
}
