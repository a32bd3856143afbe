/** How entries and the log of changes look as bytes in LMDB. */

/** A record of the database `entries` is the version, eight bytes, and then the value. */
const versionBytes = 8;

/** Room for the version, which is known only once the transaction runs; `setVersion` fills it in. */
export function encodeEntry(value: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(versionBytes + value.length);
  record.writeUInt16BE(0, 0);
  record.set(value, versionBytes);
  return record;
}

export function setVersion(record: Buffer, version: number): void {
  record.writeUIntBE(version, 2, 6);
}

export function versionOf(record: Buffer): number {
  return record.readUIntBE(2, 6);
}

/** A copy: the bytes that LMDB hands out are overwritten by the next read. */
export function copyValue(record: Buffer): Buffer {
  // Not `subarray`: the length that LMDB's buffer tells is its own property, and the real one is longer.
  const value = Buffer.allocUnsafe(record.length - versionBytes);
  record.copy(value, 0, versionBytes, record.length);
  return value;
}

/** A number as a key or value whose byte order is its order. */
export function encodeSequence(sequence: number): Buffer {
  const bytes = Buffer.alloc(versionBytes);
  setVersion(bytes, sequence);
  return bytes;
}

/** The keys of one commit, each behind its length in bytes. */
export function encodeKeys(keys: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const key of keys) {
    const bytes = Buffer.from(key);
    const length = Buffer.allocUnsafe(2);
    length.writeUInt16BE(bytes.length);
    parts.push(length, bytes);
  }
  return Buffer.concat(parts);
}

export function decodeKeys(record: Uint8Array, into: Set<string>): void {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + bytes.readUInt16BE(at);
    into.add(bytes.toString("utf8", at + 2, end));
    at = end;
  }
}
