/** Types and sizes of keys: which there are, and which of them a setting or a request may name. */
import { invalidRequest } from "../../api/errors.ts";
import type { KeyKind } from "../../lib/x509/key.ts";

const sizes = {
  rsa: [2048, 3072, 4096],
  ec: [256, 224, 384, 521],
  ed25519: [0],
  "ml-dsa": [65, 44, 87],
} as const;

const names: Readonly<Record<string, string>> = { rsa: "RSA", ec: "EC", "ml-dsa": "ML-DSA" };
const hashBits = [0, 256, 384, 512];

/** The key to make, with 0 turned into the usual size; Ed25519 has one size only, whatever was asked for. */
export function keyKind(type: string, bits: number): KeyKind {
  if (!isKeyType(type)) throw invalidRequest(`unknown key type ${type}`);
  const known: readonly number[] = sizes[type];
  if (bits === 0 || type === "ed25519") return { type, bits: known[0]! };
  if (known.includes(bits)) return { type, bits };
  if (type === "rsa" && bits < 2048) {
    throw invalidRequest(`RSA keys < 2048 bits are unsafe and not supported: got ${bits}`);
  }
  throw invalidRequest(`unsupported bit length for ${names[type]} key: ${bits}`);
}

const isKeyType = (text: string): text is KeyKind["type"] => Object.hasOwn(sizes, text);

export function requireSignatureBits(bits: number): void {
  if (!hashBits.includes(bits)) throw invalidRequest(`unsupported hash signature algorithm: ${bits}`);
}
