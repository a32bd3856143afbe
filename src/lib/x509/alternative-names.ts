/** The subject alternative name extension. */
import type { Extension } from "./extension.ts";
import type { AlternativeNames } from "./general-name.ts";

/** In the order: other names, DNS, e-mail, IP, URI. Critical only where the subject is empty. X509Error for names that cannot be encoded. */
export function subjectAltName(_names: Partial<AlternativeNames>, _isCritical?: boolean): Extension {
  throw new Error("not written yet");
}

export function parseAlternativeNames(_value: Uint8Array): AlternativeNames {
  throw new Error("not written yet");
}
