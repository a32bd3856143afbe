/** Claims of a token, and how roles refer to them: by name, or by JSON pointer (RFC 6901). */
import { isJsonObject, isRawNumber, type JsonObject } from "../../lib/json.ts";

export type Claims = Readonly<JsonObject>;

/** Numbers that a double cannot give back as written (`1.0`, long ones) become the nearest double, as everywhere else. */
export function plainClaims(parsed: JsonObject): Claims {
  for (const name of Object.keys(parsed)) parsed[name] = plain(parsed[name]);
  return parsed;
}

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isRawNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) if (typeof item === "object") value[index] = plain(item);
    return value;
  }
  return plainClaims(value as JsonObject);
}

/** A reference with a slash in front is a pointer, anything else the name of a claim. Undefined if it is not there. */
export function claimAt(claims: Claims, reference: string): unknown {
  const value = reference.startsWith("/") ? pointedAt(claims, reference) : own(claims, reference);
  return reference === "aud" && typeof value === "string" ? [value] : value;
}

/** A claim by its name alone, whatever it looks like. */
export const claimNamed = (claims: Claims, name: string): unknown => own(claims, name);

function pointedAt(claims: Claims, pointer: string): unknown {
  let value: unknown = claims;
  for (const part of pointer.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = /^(0|[1-9]\d{0,9})$/.test(key) ? value[Number(key)] : undefined;
    else if (isJsonObject(value)) value = own(value, key);
    else return undefined;
  }
  return value;
}

const own = (object: Claims, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

/** The claims with one of them replaced or added, where a role would look for it. */
export function withClaim(claims: Claims, reference: string, value: unknown): Claims {
  if (!reference.startsWith("/")) return { ...claims, [reference]: value };
  const parts = reference.slice(1).split("/");
  return replaced(
    claims,
    parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")),
    value,
  );
}

function replaced(object: Claims, [key = "", ...rest]: readonly string[], value: unknown): Claims {
  const inner = own(object, key);
  return { ...object, [key]: rest.length === 0 ? value : replaced(isJsonObject(inner) ? inner : {}, rest, value) };
}
