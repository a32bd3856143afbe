/** Appends entries to a file, whole lines in one write, so that those of several processes never mix. */
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { Gathering } from "../../../lib/gathering.ts";
import { type AuditDevice, DeviceOptionError, type DeviceType } from "../device.ts";

export const fileDevice: DeviceType = {
  type: "file",
  async open(options, { folders }) {
    const path = options["file_path"] ?? options["path"] ?? "";
    if (path === "") throw new DeviceOptionError("file_path is required");
    if (path === "discard") return nowhere;
    if (path === "stdout") return standardOutput;
    if (!isAbsolute(path)) throw new DeviceOptionError("file_path must be an absolute path, stdout or discard");
    if (folders) await requireInside(path, folders);
    return FileDevice.open(path, fileMode(options["mode"]));
  },
};

const nowhere: AuditDevice = { write: async () => {}, reopen: async () => {}, close: async () => {} };

const standardOutput: AuditDevice = {
  ...nowhere,
  write: (line) => new Promise((done, fail) => process.stdout.write(line, (error) => (error ? fail(error) : done()))),
};

const mostLines = 256;

class FileDevice implements AuditDevice {
  readonly #path: string;
  readonly #mode: number;
  #file: FileHandle;
  /** One write at a time: a file that blocks, on a disk that is away, must not block all threads of the process. */
  readonly #lines = new Gathering((lines: readonly string[]) => this.#append(lines), mostLines);

  private constructor(path: string, mode: number, file: FileHandle) {
    this.#path = path;
    this.#mode = mode;
    this.#file = file;
  }

  static async open(path: string, mode: number): Promise<FileDevice> {
    return new FileDevice(path, mode, await openAppending(path, mode));
  }

  async write(line: string): Promise<void> {
    const failure = await this.#lines.add(line);
    if (failure) throw failure;
  }

  /** Fails together: what a file took of them nobody can tell. */
  async #append(lines: readonly string[]): Promise<(Error | undefined)[]> {
    const bytes = Buffer.from(lines.join(""));
    const failure = await this.#file.write(bytes).then(
      ({ bytesWritten }) => (bytesWritten === bytes.length ? undefined : new Error("the audit file took only a part")),
      (error: Error) => error,
    );
    return lines.map(() => failure);
  }

  async reopen(): Promise<void> {
    const before = this.#file;
    this.#file = await openAppending(this.#path, this.#mode);
    await before.close();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function openAppending(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, "a", mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DeviceOptionError(`the audit file ${path} cannot be opened for appending (${code ?? "unknown error"})`);
  }
}

/** Links are followed first: a link inside an allowed folder may lead out of it. */
async function requireInside(path: string, folders: readonly string[]): Promise<void> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  if (folder === undefined) throw new DeviceOptionError(`the folder of ${path} does not exist`);
  const target = await realpath(path).catch(() => join(folder, basename(path)));
  const isInside = folders.some((allowed) => target.startsWith(resolve(allowed) + sep));
  if (!isInside) {
    throw new DeviceOptionError(
      "file_path must be inside one of the folders that the configuration allows for audit files",
    );
  }
}

function fileMode(text: string | undefined): number {
  if (text === undefined || text === "") return 0o600;
  if (!/^0?[0-7]{3,4}$/.test(text)) throw new DeviceOptionError('mode must be octal digits such as "0600"');
  return Number.parseInt(text, 8);
}
