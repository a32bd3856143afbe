/** Readable records of the seal: JSON with a format number, checked when read. */
import { AlteredEntry } from "./barrier.ts";

const format = 1;

export const encodeRecord = (record: object): Uint8Array => Buffer.from(JSON.stringify({ format, ...record }));

export function decodeRecord<T extends object>(key: string, bytes: Uint8Array): T {
  const record = parseObject(key, bytes) as T & { readonly format?: unknown };
  if (record.format === format) return record;
  throw new Error(
    `the stored entry ${JSON.stringify(key)} has format ${JSON.stringify(record.format)}, and this version reads ${format}`,
  );
}

function parseObject(key: string, bytes: Uint8Array): object {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null)
    throw new AlteredEntry(key, "it is not the record that belongs there");
  return value;
}
