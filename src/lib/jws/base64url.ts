/** Base64url in its one canonical spelling: no padding, no white space, no spare bits that are set. */
import { JwsError } from "./error.ts";

/** `what` names the part in the error. */
export function decodeBase64Url(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  // Node's decoder skips what it does not know, so one message would have many spellings.
  if (bytes.toString("base64url") !== text) throw new JwsError("malformed", `the ${what} is not canonical base64url`);
  return bytes;
}

export const encodeBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
