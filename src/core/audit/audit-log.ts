/** Records requests before they run and answers before they leave. With devices and none that works, nothing goes through. */
import type { Clock, Log } from "../../api/engine.ts";
import { ApiError } from "../../api/errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { AuditedHeaders } from "./audit-table.ts";
import { writeTimeoutMs } from "./device.ts";
import type { EntryOptions } from "./entry.ts";
import type { LiveDevice } from "./live-devices.ts";

export interface AuditParts {
  readonly log: Log;
  readonly clock: Clock;
  /** Rejects after so many milliseconds. */
  readonly deadline: (milliseconds: number) => { promise: Promise<never>; clear: () => void };
}

/** Entries that wait for one device; more than these would only fill the memory. */
const mostWaiting = 1000;

export class AuditLog {
  readonly #parts: AuditParts;
  /** Entries that no device took since the start, and failures by device, for metrics. */
  readonly failures = new Map<string, number>();
  /** Devices that did not take their last entry: nobody waits for them as long as another one works. */
  readonly #late = new Set<string>();
  readonly #waiting = new Map<string, number>();

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  now(): Date {
    return new Date(this.#parts.clock.now());
  }

  /** Writes to all devices at once; one that takes it is enough. Throws a 500 that says so when none does. */
  async record(
    devices: readonly LiveDevice[],
    headers: AuditedHeaders,
    makeEntry: (options: EntryOptions) => JsonObject,
  ): Promise<void> {
    if (devices.length === 0) return;
    const writes = devices.map((live) => {
      const write = this.#write(live, headers, makeEntry);
      write.catch(() => {});
      return { isLate: this.#late.has(live.entry.path), write };
    });
    const inTime = writes.filter(({ isLate }) => !isLate).map(({ write }) => write);
    const outcomes = await Promise.allSettled(inTime);
    if (outcomes.some(({ status }) => status === "fulfilled")) return;
    await Promise.any(writes.map(({ write }) => write)).catch(() => {
      throw new AuditUnavailable();
    });
  }

  async #write(live: LiveDevice, headers: AuditedHeaders, makeEntry: (options: EntryOptions) => JsonObject) {
    const { path, options } = live.entry;
    const waiting = this.#waiting.get(path) ?? 0;
    this.#waiting.set(path, waiting + 1);
    try {
      if (waiting >= mostWaiting) throw new Error("too many entries wait for it already");
      const line = `${options["prefix"] ?? ""}${JSON.stringify(makeEntry(entryOptions(live, headers)))}\n`;
      await this.#inTime(live, line);
      this.#late.delete(path);
    } catch (error) {
      this.#late.add(path);
      this.failures.set(path, (this.failures.get(path) ?? 0) + 1);
      this.#parts.log.error("an audit device did not take an entry", { device: path, reason: reasonOf(error) });
      throw error;
    } finally {
      this.#waiting.set(path, this.#waiting.get(path)! - 1);
    }
  }

  async #inTime(live: LiveDevice, line: string): Promise<void> {
    const deadline = this.#parts.deadline(writeTimeoutMs(live.entry.options));
    try {
      await Promise.race([live.device().then((device) => device.write(line)), deadline.promise]);
    } catch (error) {
      live.abandon();
      throw error;
    } finally {
      deadline.clear();
    }
  }
}

export class AuditUnavailable extends ApiError {
  constructor() {
    super(500, "audit unavailable: no audit device could record the request");
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const isOn = (text: string | undefined, byDefault: boolean) =>
  text === undefined || text === "" ? byDefault : ["1", "t", "true", "TRUE", "True", "T"].includes(text);

const entryOptions = ({ entry, hash }: LiveDevice, headers: AuditedHeaders): EntryOptions => ({
  hash,
  headers,
  raw: isOn(entry.options["log_raw"], false),
  hashAccessors: isOn(entry.options["hmac_accessor"], true),
  elideLists: isOn(entry.options["elide_list_responses"], false),
});
