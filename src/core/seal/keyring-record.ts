/** The stored keyring: a format byte and the generation of its root key, readable; the rest encrypted under that key. */
import type { Random } from "../../api/engine.ts";
import { decryptBytes, encryptBytes, nonceLength } from "./aead.ts";
import { AlteredEntry } from "./barrier.ts";
import { wipe } from "./key-material.ts";
import { Keyring, type RootKey } from "./keyring.ts";
import { storedAt } from "./stored-at.ts";

const format = 1;
const headerLength = 5;

export function encodeKeyring(keyring: Keyring, random: Random): Uint8Array {
  const { generation, key } = keyring.rootKey;
  const plaintext = keyring.serialize();
  const stored = encryptBytes(
    { key, header: headerFor(generation), location: storedAt.keyring },
    random.bytes(nonceLength),
    plaintext,
  );
  wipe(plaintext);
  return stored;
}

/** Which root key opens it. */
export function generationOf(stored: Uint8Array): number {
  if (stored.length < headerLength) throw new AlteredEntry(storedAt.keyring);
  if (stored[0] !== format) throw new Error(`the keyring has format ${stored[0]}, and this version reads ${format}`);
  return new DataView(stored.buffer, stored.byteOffset).getUint32(1);
}

/** The keyring owns `rootKey` from then on. */
export function decodeKeyring(stored: Uint8Array, rootKey: RootKey): Keyring {
  const { generation, key } = rootKey;
  const plaintext = decryptBytes({ key, header: headerFor(generation), location: storedAt.keyring }, stored);
  if (plaintext === undefined) throw new AlteredEntry(storedAt.keyring);
  const keyring = Keyring.parse(plaintext, rootKey);
  wipe(plaintext);
  return keyring;
}

function headerFor(generation: number): Buffer {
  const header = Buffer.alloc(headerLength);
  header[0] = format;
  header.writeUInt32BE(generation, 1);
  return header;
}
