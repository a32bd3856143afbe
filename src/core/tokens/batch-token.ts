/** Batch tokens are not stored: the token itself is its record, sealed under a key that every process can read. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random, Storage } from "../../api/engine.ts";
import type { Token } from "./token.ts";

const keyPath = "core/batch-token-key";
const prefix = "b.";
const format = 1;
const nonceLength = 12;
const tagLength = 16;
/** Far beyond what policies and metadata need, and cheap to refuse. */
const longest = 16_384;

export const isBatchId = (id: string): boolean => id.startsWith(prefix);

/** Written once, when the store is initialized. */
export function initializeBatchTokens(storage: Storage, random: Random): void {
  storage.put(keyPath, random.bytes(32));
}

export async function sealBatchToken(token: Token, storage: Storage, random: Random): Promise<string> {
  const key = await batchKey(storage);
  const nonce = random.bytes(nonceLength);
  const header = Buffer.from([format]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(header);
  const sealed = Buffer.concat([
    header,
    nonce,
    cipher.update(JSON.stringify(token)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return prefix + sealed.toString("base64url");
}

/** The record inside, or nothing for what was not sealed here. */
export async function openBatchToken(id: string, storage: Storage): Promise<Token | undefined> {
  if (id.length > longest) return undefined;
  const bytes = Buffer.from(id.slice(prefix.length), "base64url");
  // One token has one spelling: decoding is lenient, so compare with what we would have written.
  if (bytes.length <= 1 + nonceLength + tagLength || prefix + bytes.toString("base64url") !== id) return undefined;
  if (bytes[0] !== format) return undefined;
  const key = await batchKey(storage);
  const nonce = bytes.subarray(1, 1 + nonceLength);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength });
  decipher.setAAD(bytes.subarray(0, 1)).setAuthTag(bytes.subarray(-tagLength));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(1 + nonceLength, -tagLength)), decipher.final()]);
    return Object.freeze(JSON.parse(text.toString("utf8")) as Token);
  } catch {
    return undefined;
  }
}

async function batchKey(storage: Storage): Promise<Uint8Array> {
  const key = await storage.get(keyPath);
  if (!key) throw new Error("the store has no key for batch tokens: it was not initialized by this product");
  return key;
}
