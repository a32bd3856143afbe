/** A secret's data as it is stored: its own JSON text, so that every number comes back digit for digit. */
import { invalidRequest } from "../../api/errors.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../lib/json.ts";

export const secretBytes = (data: Readonly<JsonObject>): Uint8Array => Buffer.from(JSON.stringify(data), "utf8");

export function parseSecret(bytes: Uint8Array): Readonly<JsonObject> {
  const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  if (!isJsonObject(value)) throw new Error("a stored secret is not an object");
  return value;
}

/** Both engines keep the record that makes a secret exist under this prefix, so that a mount can gain versions later. */
export const secretPrefix = "secrets/";

/** Storage prefix of what lies below a path; the empty path is the top of the mount. */
export const folderOf = (path: string) => (path === "" ? secretPrefix : `${secretPrefix}${path}/`);

export function writableName(path: string): string {
  if (path === "" || path.endsWith("/")) throw invalidRequest("cannot write to a path ending in '/'");
  return path;
}
