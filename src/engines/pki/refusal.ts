/** Turns what the readers of certificates and keys throw into an answer for the caller. */
import { invalidRequest } from "../../api/errors.ts";
import { X509Error } from "../../lib/x509/x509-error.ts";

/** The words of a failure in front of which `prefix` stands; any other error stays what it is. */
export function refusing<T>(work: () => T, prefix = ""): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof X509Error) throw invalidRequest(prefix + error.message);
    throw error;
  }
}
