/** AES-256-GCM in the one shape that everything stored here has: a readable header, nonce, ciphertext and tag. */
import { createCipheriv, createDecipheriv } from "node:crypto";

export const nonceLength = 12;
const tagLength = 16;
const algorithm = "aes-256-gcm";
const options = { authTagLength: tagLength };

/** Bytes that encryption adds to the plaintext, the header apart. */
const overhead = nonceLength + tagLength;

export interface Sealing {
  readonly key: Uint8Array;
  /** Stored readable before the nonce, and authenticated. */
  readonly header: Uint8Array;
  /** Where the bytes are stored: authenticated, so that they mean nothing anywhere else. */
  readonly location: string;
}

export function encryptBytes({ key, header, location }: Sealing, nonce: Uint8Array, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, options);
  cipher.setAAD(associated(header, location));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  const stored = Buffer.allocUnsafeSlow(header.length + overhead + plaintext.length);
  stored.set(header);
  stored.set(nonce, header.length);
  stored.set(ciphertext, header.length + nonceLength);
  stored.set(cipher.getAuthTag(), stored.length - tagLength);
  return stored;
}

/** Undefined when the bytes were not written with this key for this place, or are no longer what was written. */
export function decryptBytes({ key, header, location }: Sealing, stored: Uint8Array): Buffer | undefined {
  const start = header.length;
  if (stored.length < start + overhead) return undefined;
  const decipher = createDecipheriv(algorithm, key, stored.subarray(start, start + nonceLength), options);
  decipher.setAAD(associated(header, location));
  decipher.setAuthTag(stored.subarray(stored.length - tagLength));
  const plaintext = decipher.update(stored.subarray(start + nonceLength, stored.length - tagLength));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plaintext;
}

function associated(header: Uint8Array, location: string): Buffer {
  const bytes = Buffer.allocUnsafe(header.length + Buffer.byteLength(location));
  bytes.set(header);
  bytes.write(location, header.length);
  return bytes;
}
