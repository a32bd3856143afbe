/**
 * Buffers that hold keys: unpooled, so that overwriting one leaves no copy in memory that others share.
 *
 * Overwriting is worth as much as Node allows. Out of reach are: the text of a key share in a request or a reply and in
 * the JSON around it (strings cannot be changed; they stay until the garbage collector reuses their memory), buffers
 * that the collector moved or that HTTP and TLS used on the way, key schedules inside OpenSSL (freed, and cleansed by
 * it, once the cipher object is collected), environment variables, and pages that the system swapped out.
 */
import type { Random } from "../../api/engine.ts";

export const keyLength = 32;

export const emptyKey = (length: number = keyLength): Buffer => Buffer.alloc(length);

export function keyCopy(bytes: Uint8Array): Buffer {
  const copy = emptyKey(bytes.length);
  copy.set(bytes);
  return copy;
}

/** By way of a pooled buffer, which is wiped. */
export function keyFromText(text: string, encoding: "hex" | "base64"): Buffer {
  const pooled = Buffer.from(text, encoding);
  const key = keyCopy(pooled);
  wipe(pooled);
  return key;
}

export function newKey(random: Random): Buffer {
  const drawn = random.bytes(keyLength);
  const key = keyCopy(drawn);
  wipe(drawn);
  return key;
}

export function wipe(...keys: Uint8Array[]): void {
  for (const key of keys) key.fill(0);
}
