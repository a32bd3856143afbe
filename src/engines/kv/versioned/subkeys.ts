/** The structure of a secret without its values. */
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";

/** Same keys, null for every leaf. Below `depth` levels everything is a leaf; 0 goes all the way down. */
export function structureOf(data: Readonly<JsonObject>, depth: number): JsonObject {
  const structure: JsonObject = Object.create(null);
  for (const name of Object.keys(data)) {
    const value = data[name];
    const goesOn = depth !== 1 && isJsonObject(value) && Object.keys(value).length > 0;
    structure[name] = goesOn ? structureOf(value, depth === 0 ? 0 : depth - 1) : null;
  }
  return structure;
}
