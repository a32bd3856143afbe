/** The first bytes of LMDB's files, and a look at them: the library does not survive a file that it cannot read. */
import { type FileHandle, open } from "node:fs/promises";

/** Offsets in a meta page of LMDB 1.0 on a 64-bit machine; there are two such pages, written in turn. */
const magicAt = 24;
const versionAt = 28;
export const pageSizeAt = 48;
const rootPageAt = 136;
export const transactionAt = 152;
const headerBytes = 160;

/** Offset in the lock file of the number of the transaction that readers and writers go by. */
export const lockTransactionAt = 8;

const magic = 0xbeefc0de;
const version = 2;

/** Undefined when the file is new or in order. */
export async function whatIsWrongWith(path: string): Promise<string | undefined> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    return size === 0 ? undefined : await checkPages(file);
  } finally {
    await file.close();
  }
}

async function checkPages(file: FileHandle): Promise<string | undefined> {
  const first = await read(file, 0);
  if (first.readUInt32LE(magicAt) !== magic) return "it is not an LMDB file";
  if (first.readUInt32LE(versionAt) !== version) {
    return `it was written by another kind of LMDB (format ${first.readUInt32LE(versionAt)}, not ${version})`;
  }
  const pageSize = first.readUInt32LE(pageSizeAt);
  const second = await read(file, pageSize);
  if (second.readUInt32LE(magicAt) !== magic) return "it is damaged";
  const latest = [first, second].sort((a, b) =>
    Number(b.readBigUInt64LE(transactionAt) - a.readBigUInt64LE(transactionAt)),
  )[0]!;
  const root = latest.readBigUInt64LE(rootPageAt);
  // Asked for last: another process may write while we look, and the file only grows.
  const { size } = await file.stat();
  const isEmpty = root === 2n ** 64n - 1n;
  if (!isEmpty && (root + 1n) * BigInt(pageSize) > BigInt(size)) return "its end is missing";
  return undefined;
}

async function read(file: FileHandle, position: number): Promise<Buffer> {
  const page = Buffer.alloc(headerBytes);
  await file.read(page, 0, headerBytes, position);
  return page;
}
