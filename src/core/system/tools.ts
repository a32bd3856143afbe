/** Small cryptographic tools that need no key: random bytes and hashes. */
import { hash } from "node:crypto";
import type { Random } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";

export const formats = ["hex", "base64"] as const;
export type Format = (typeof formats)[number];

export const sources = ["platform", "seal", "all"] as const;
export type Source = (typeof sources)[number];

const digestNames = {
  "sha2-224": "sha224",
  "sha2-256": "sha256",
  "sha2-384": "sha384",
  "sha2-512": "sha512",
  "sha3-224": "sha3-224",
  "sha3-256": "sha3-256",
  "sha3-384": "sha3-384",
  "sha3-512": "sha3-512",
} as const;

export type Algorithm = keyof typeof digestNames;
export const algorithms = Object.keys(digestNames) as Algorithm[];

const mostBytes = 128 * 1024;

export function randomText(random: Random, bytes: number, format: Format): string {
  if (bytes < 1 || bytes > mostBytes) throw invalidRequest(`"bytes" must be between 1 and ${mostBytes}`);
  return Buffer.from(random.bytes(bytes)).toString(format);
}

export const hashText = (algorithm: Algorithm, input: string, format: Format): string =>
  hash(digestNames[algorithm], decodeBase64(input), format);

/** Strict where the runtime is lenient: it would skip what it does not know, and hash something else than was meant. */
function decodeBase64(input: string): Buffer {
  const text = input.replaceAll(/[\r\n]/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw invalidRequest('unable to decode "input" as base64: expected the standard alphabet with padding');
  }
  return Buffer.from(text, "base64");
}
