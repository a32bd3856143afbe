/** Devices as this process has them open: one for each entry of the stored table, for as long as it is there. */
import type { Log } from "../../api/engine.ts";
import type { AuditEntry } from "./audit-table.ts";
import { type AuditDevice, DeviceOptionError, type DeviceType, writeTimeoutMs } from "./device.ts";
import { fileDevice } from "./devices/file.ts";
import { httpDevice } from "./devices/http.ts";
import { socketDevice } from "./devices/socket.ts";
import { syslogDevice } from "./devices/syslog.ts";
import { type Hash, hashWith } from "./hashing.ts";

const types: ReadonlyMap<string, DeviceType> = new Map(
  [fileDevice, socketDevice, syslogDevice, httpDevice].map((type) => [type.type, type]),
);

export interface LiveDevice {
  readonly entry: AuditEntry;
  readonly hash: Hash;
  /** Opens the device when it is first needed, and again after a failure to open. */
  device(): Promise<AuditDevice>;
  /** For when an entry was not taken in time. */
  abandon(): void;
}

export class LiveDevices {
  readonly #folders: readonly string[];
  readonly #log: Log;
  #table: readonly AuditEntry[] = [];
  #live: readonly OpenedDevice[] = [];

  constructor(folders: readonly string[], log: Log) {
    this.#folders = folders;
    this.#log = log;
  }

  /** For a table as just read; the same table costs a comparison. */
  of(table: readonly AuditEntry[]): readonly LiveDevice[] {
    if (table !== this.#table) this.#adopt(table);
    return this.#live;
  }

  /** Opens a device to see that it can be, and throws a sentence if not. */
  async open(entry: AuditEntry): Promise<AuditDevice> {
    const type = types.get(entry.type);
    if (!type) throw new DeviceOptionError(`the type must be one of ${[...types.keys()].join(", ")}`);
    writeTimeoutMs(entry.options);
    return type.open(entry.options, { folders: entry.declared ? undefined : this.#folders });
  }

  async reopen(): Promise<void> {
    await Promise.all(this.#live.map((live) => live.reopen()));
  }

  async close(): Promise<void> {
    const live = this.#live;
    this.#adopt([]);
    await Promise.all(live.map((each) => each.close()));
  }

  #adopt(table: readonly AuditEntry[]): void {
    const before = this.#live;
    this.#table = table;
    this.#live = table.map((entry) => before.find((live) => isSame(live.entry, entry)) ?? this.#new(entry));
    for (const gone of before.filter((live) => !this.#live.includes(live))) {
      gone
        .close()
        .catch((error: unknown) => this.#log.warn("an audit device failed to close", { error: String(error) }));
    }
  }

  #new(entry: AuditEntry): OpenedDevice {
    return new OpenedDevice(entry, () => this.open(entry));
  }
}

const isSame = (a: AuditEntry, b: AuditEntry) => JSON.stringify(a) === JSON.stringify(b);

class OpenedDevice implements LiveDevice {
  readonly entry: AuditEntry;
  readonly hash: Hash;
  readonly #open: () => Promise<AuditDevice>;
  #opening: Promise<AuditDevice> | undefined;

  constructor(entry: AuditEntry, open: () => Promise<AuditDevice>) {
    this.entry = entry;
    this.hash = hashWith(Buffer.from(entry.salt, "base64"));
    this.#open = open;
  }

  device(): Promise<AuditDevice> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  abandon(): void {
    void this.#opening?.then(
      (device) => device.abandon?.(),
      () => undefined,
    );
  }

  async reopen(): Promise<void> {
    await (await this.#opening)?.reopen();
  }

  async close(): Promise<void> {
    const device = await this.#opening?.catch(() => undefined);
    await device?.close();
  }
}
