/** The keys that an issuer publishes. One that cannot be used is left out, and does not spoil the others. */
import { isJsonObject, JsonError, parseJson } from "../json.ts";
import { JwsError } from "./error.ts";
import { importJwk, type VerificationKey } from "./key.ts";

const mostKeys = 1000;

export function parseJwkSet(text: string): readonly VerificationKey[] {
  const set = parsed(text);
  if (!isJsonObject(set) || !Array.isArray(set["keys"]))
    throw new JwsError("malformed", "expected an object with a list of keys");
  if (set["keys"].length > mostKeys) throw new JwsError("malformed", `a key set has at most ${mostKeys} keys`);
  return set["keys"].flatMap((jwk) => importedOrNone(jwk));
}

function importedOrNone(jwk: unknown): VerificationKey[] {
  try {
    return [importJwk(jwk)];
  } catch (error) {
    if (error instanceof JwsError) return [];
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new JwsError("malformed", `not good JSON: ${error.message}`);
    throw error;
  }
}
