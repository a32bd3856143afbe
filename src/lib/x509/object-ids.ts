/** Object identifiers that came from a person: checked before they are encoded. */
import { isObjectIdentifier } from "../der/object-identifier.ts";
import { objectIdentifier } from "../der/writer.ts";
import { X509Error } from "./x509-error.ts";

/** The DER of it; an X509Error that says what it was for. */
export function encodedId(oid: string, purpose: string): Uint8Array {
  if (!isObjectIdentifier(oid)) {
    throw new X509Error(`${JSON.stringify(oid.slice(0, 100))} is not a valid object identifier for ${purpose}`);
  }
  return objectIdentifier(oid);
}
