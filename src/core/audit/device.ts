/** What takes audit entries: one line each, written whole or not at all. */

export interface AuditDevice {
  /** Resolves when the entry is on its way beyond recall; rejects when it is not. */
  write(line: string): Promise<void>;
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
