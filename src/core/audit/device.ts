/** What takes audit entries: one line each, written whole or not at all. */
import { parseDurationMilliseconds } from "../../lib/duration.ts";

export interface AuditDevice {
  /** Resolves when the entry is on its way beyond recall; rejects when it is not. */
  write(line: string): Promise<void>;
  /** An entry was not taken in time: lets go of what blocks, so that the next one gets a new chance. */
  abandon?(): void;
  /** After a log was moved away; only files have something to do. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Options come as text, from configuration files and from the API alike. */
export type DeviceOptions = Readonly<Record<string, string>>;

export interface DeviceType {
  readonly type: string;
  /** Throws a sentence for the operator when the options are wrong. */
  open(options: DeviceOptions, surroundings: DeviceSurroundings): Promise<AuditDevice>;
}

export interface DeviceSurroundings {
  /** Folders that files may be made in; undefined for a device that the configuration declares, which may go anywhere. */
  readonly folders: readonly string[] | undefined;
}

export class DeviceOptionError extends Error {
  override readonly name = "DeviceOptionError";
}

/** Long enough for a busy disk, short enough that a request does not look hung. */
const usualTimeoutMs = 5000;
const longestTimeoutMs = 60_000;

/** `write_timeout`, which elsewhere only sockets have, is for all kinds of devices here. */
export function writeTimeoutMs({ write_timeout: written = "" }: DeviceOptions): number {
  if (written === "") return usualTimeoutMs;
  let milliseconds: number;
  try {
    milliseconds = parseDurationMilliseconds(written);
  } catch {
    milliseconds = 0;
  }
  if (milliseconds >= 1 && milliseconds <= longestTimeoutMs) return milliseconds;
  throw new DeviceOptionError('write_timeout must be a duration of at most a minute, such as "2s"');
}
