/** Which devices record, as stored: declared by a configuration file or made with the API. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { readAtHand } from "../storage/read-at-hand.ts";
import type { DeviceOptions } from "./device.ts";

const tableKey = "core/audit";
const headersKey = "core/audit-headers";

export interface AuditEntry {
  /** Ends in a slash. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly options: DeviceOptions;
  readonly local: boolean;
  /** Base64; what strings are hashed with on this device. */
  readonly salt: string;
  /** Stands in a configuration file, and goes only when it goes there. */
  readonly declared: boolean;
}

/** Read at each request: one object for one version of the record. */
export const readAuditTable = (storage: Storage): AtHand<readonly AuditEntry[]> =>
  withValue(readAtHand(storage, tableKey, parseRecord), (stored) => (stored as readonly AuditEntry[]) ?? none);

const none: readonly AuditEntry[] = [];

export function writeAuditTable(entries: readonly AuditEntry[], storage: Storage): void {
  storage.put(tableKey, recordBytes(entries));
}

/** Request headers that entries show, by name in lower case. */
export type AuditedHeaders = Readonly<Record<string, { readonly hmac: boolean }>>;

export const readAuditedHeaders = async (storage: Storage): Promise<AuditedHeaders> =>
  ((await storage.read(headersKey, parseRecord)) as AuditedHeaders | undefined) ?? {};

export function writeAuditedHeaders(headers: AuditedHeaders, storage: Storage): void {
  storage.put(headersKey, recordBytes(headers));
}
