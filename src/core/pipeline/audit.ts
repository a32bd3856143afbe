/** Two stages: the outer one records every outcome, the inner one records the request before its handler runs. */
import { ApiError } from "../../api/errors.ts";
import { withValue } from "../../lib/at-hand.ts";
import { type AuditLog, AuditUnavailable } from "../audit/audit-log.ts";
import { readAuditedHeaders, readAuditTable } from "../audit/audit-table.ts";
import { requestEntry, responseEntry } from "../audit/entry.ts";
import type { LiveDevice, LiveDevices } from "../audit/live-devices.ts";
import type { Records } from "../storage/records.ts";
import type { Transaction } from "../storage/transaction.ts";
import type { Exchange } from "./exchange.ts";
import type { Around, Before } from "./pipeline.ts";

export interface AuditStageParts {
  readonly audit: AuditLog;
  readonly devices: LiveDevices;
  readonly records: Records;
}

export const auditRequest = (parts: AuditStageParts): Before => ({
  // A request that is run again after a conflict is still one request.
  before: (exchange) => (exchange.audited ? undefined : recordRequest(exchange, exchange.transaction!, parts)),
});

export const auditResponse =
  (parts: AuditStageParts): Around =>
  async (exchange, next) => {
    let answer: unknown;
    try {
      answer = await next();
    } catch (error) {
      // What could not be recorded once need not be tried again: the caller has waited long enough.
      if (!(error instanceof AuditUnavailable)) await recordFailure(exchange, error, parts);
      throw error;
    }
    if (exchange.audited && exchange.audited.devices.length > 0) {
      await recordAnswer(exchange, answer, parts);
    }
    return answer;
  };

const recordRequest = (exchange: Exchange, storage: Transaction, parts: AuditStageParts, error?: unknown) =>
  withValue(readAuditTable(storage), (table) => {
    const devices = parts.devices.of(table);
    if (devices.length > 0) return recordOn(devices, exchange, storage, parts, error);
    exchange.audited = nowhere;
    return undefined;
  });

const nowhere = { devices: [], headers: {} };

async function recordOn(
  devices: readonly LiveDevice[],
  exchange: Exchange,
  storage: Transaction,
  { audit }: AuditStageParts,
  error: unknown,
): Promise<void> {
  const headers = await readAuditedHeaders(storage);
  exchange.audited = { devices, headers };
  await audit.record(devices, headers, (options) => requestEntry(exchange, options, error));
}

/** A request that was refused before its handler has not been recorded yet: both entries follow now. */
async function recordFailure(exchange: Exchange, error: unknown, parts: AuditStageParts): Promise<void> {
  const { audit, records } = parts;
  if (!exchange.audited) {
    await records.transaction(async (storage) => recordRequest(exchange, storage, parts, error));
  }
  const { devices, headers } = exchange.audited!;
  const time = audit.now();
  await audit.record(devices, headers, (options) => responseEntry(exchange, { time, error }, options));
}

async function recordAnswer(exchange: Exchange, answer: unknown, { audit }: AuditStageParts): Promise<void> {
  const { devices, headers } = exchange.audited!;
  const time = audit.now();
  try {
    await audit.record(devices, headers, (options) => responseEntry(exchange, { time, answer }, options));
  } catch (error) {
    const { transaction } = exchange;
    const hasChanged = transaction !== undefined && (transaction.isFinished || !transaction.isReadOnly);
    if (!hasChanged) throw error;
    throw new ApiError(
      500,
      "audit unavailable: the change was made, but its answer could not be recorded and is withheld",
    );
  }
}
