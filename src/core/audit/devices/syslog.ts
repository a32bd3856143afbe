/** Hands entries to the local syslog through the system's own `logger`, which knows where it listens. */
import { type ChildProcess, spawn } from "node:child_process";
import { type AuditDevice, DeviceOptionError, type DeviceType } from "../device.ts";

const facilities = new Set(
  "auth authpriv cron daemon ftp kern lpr mail news syslog user uucp local0 local1 local2 local3 local4 local5 local6 local7".split(
    " ",
  ),
);

export const syslogDevice: DeviceType = {
  type: "syslog",
  async open(options) {
    const facility = (options["facility"] ?? "AUTH").toLowerCase();
    const tag = options["tag"] ?? "strongroom";
    if (!facilities.has(facility)) throw new DeviceOptionError(`facility must be one of ${[...facilities].join(", ")}`);
    if (!/^[\w.-]{1,48}$/.test(tag)) throw new DeviceOptionError("tag must be letters, digits, '.', '_' or '-'");
    return new SyslogDevice(facility, tag);
  },
};

/** Longer than any entry that fits the limits on requests. */
const mostBytes = "1048576";

class SyslogDevice implements AuditDevice {
  readonly #facility: string;
  readonly #tag: string;
  #logger: ChildProcess | undefined;

  constructor(facility: string, tag: string) {
    this.#facility = facility;
    this.#tag = tag;
  }

  write(line: string): Promise<void> {
    const { stdin } = this.#running();
    return new Promise((done, fail) => {
      if (!stdin?.writable) return fail(new Error("logger cannot be run"));
      stdin.write(line, (error) => (error ? fail(error) : done()));
    });
  }

  abandon(): void {
    this.#logger?.kill("SIGKILL");
    this.#logger = undefined;
  }

  async reopen(): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    this.#logger?.stdin?.end();
    this.#logger = undefined;
  }

  #running(): ChildProcess {
    if (this.#logger && this.#logger.exitCode === null) return this.#logger;
    const words = ["--tag", this.#tag, "--priority", `${this.#facility}.info`, "--size", mostBytes];
    const logger = spawn("logger", words, { stdio: ["pipe", "ignore", "ignore"] });
    logger.on("error", () => {});
    logger.stdin?.on("error", () => {});
    logger.unref();
    this.#logger = logger;
    return logger;
  }
}
