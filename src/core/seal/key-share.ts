/** Key shares as people type them: hexadecimal or base64, the plain key or one of several shares of it. */
import { invalidRequest } from "../../api/errors.ts";
import { keyFromText, keyLength } from "./key-material.ts";
import type { Quorum } from "./seal-config.ts";

const hexadecimal = /^[0-9a-fA-F]*$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const longestText = 1000;

/** Refuses at once what cannot be a share of this quorum, so that a slip does not cost what others already gave. */
export function parseShare(text: string, { shares }: Quorum): Buffer {
  if (text === "") throw invalidRequest("'key' must be specified in request body as JSON");
  const length = shares === 1 ? keyLength : keyLength + 1;
  const share = text.length > longestText ? undefined : decode(text, length);
  if (share === undefined) throw invalidRequest("'key' must be a valid hex or base64 string");
  if (share.length === length) return share;
  const problem =
    share.length < length ? `shorter than minimum ${length} bytes` : `longer than maximum ${length} bytes`;
  throw invalidRequest(`key is ${problem}`);
}

/** Digits alone are valid as base64, too: they count as hexadecimal if that gives the right length. */
function decode(text: string, length: number): Buffer | undefined {
  if (text.length === 2 * length && hexadecimal.test(text)) return keyFromText(text, "hex");
  if (base64.test(text)) return keyFromText(text, "base64");
  return undefined;
}

/** Both forms in which shares are handed out. */
export const shareTexts = (shares: readonly Buffer[]) => ({
  hex: shares.map((share) => share.toString("hex")),
  base64: shares.map((share) => share.toString("base64")),
});
