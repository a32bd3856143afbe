/** Gets the key that a new authority is made with: a new one, or one that is there. */
import { invalidRequest } from "../../api/errors.ts";
import type { Key } from "./key.ts";
import { keyKind } from "./key-type.ts";
import type { PkiServices } from "./services.ts";

export interface KeyWishes {
  readonly exported: string;
  readonly key_type: string;
  readonly key_bits: number;
  readonly key_name: string;
  readonly key_ref: string;
}

/** `isExported`: the caller is to see it, this once. */
export async function keyForAuthority(
  services: PkiServices,
  wishes: KeyWishes,
  given: (field: string) => boolean,
): Promise<{ readonly key: Key; readonly isExported: boolean }> {
  if (wishes.exported === "existing") {
    if (given("key_type") || given("key_bits")) {
      throw invalidRequest(
        "invalid parameter for the kms/existing path parameter, key_type nor key_bits arguments can be set in this mode",
      );
    }
    return { key: await services.keys.require(wishes.key_ref), isExported: false };
  }
  if (wishes.exported === "kms") throw invalidRequest("keys of a key management service are not supported");
  if (wishes.exported !== "internal" && wishes.exported !== "exported") {
    throw invalidRequest('the "exported" path parameter must be "internal", "existing", exported" or "kms"');
  }
  await services.keys.requireFreeName(wishes.key_name);
  const privateKey = await services.keyPool.take(keyKind(wishes.key_type, wishes.key_bits));
  const { key } = await services.keys.add(privateKey, wishes.key_name);
  return { key, isExported: wishes.exported === "exported" };
}
