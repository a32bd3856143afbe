/** The log as a file that is begun anew when it is large or old, or when somebody moved it away. */
import { closeSync, fstatSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

export interface LogFileOptions {
  /** A file, or a folder to make one in. */
  readonly path: string;
  /** Size at which a new file is begun; 0 for any size. */
  readonly rotateBytes: number;
  /** Age at which a new file is begun; 0 for any age. */
  readonly rotateSeconds: number;
  /** Old files to keep: 0 for all, -1 for none. */
  readonly maxFiles: number;
  readonly now: () => number;
  /** Told once for each row of failures: a full disk must not stop the server. */
  readonly onTrouble: (reason: string) => void;
  /** Told when a new file was begun, for others who write to it. */
  readonly onRotated?: (() => void) | undefined;
}

const fileName = "strongroom.log";

/** Written at once and in order, like the standard error stream: what is said before a crash is there after it. */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #path: string;
  /** Undefined once it is closed: the number may then be another file's. */
  #descriptor: number | undefined;
  #bytes = 0;
  #begun = 0;
  #isFailing = false;

  /** Throws a sentence for the operator. */
  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#path = fileAt(options.path);
    try {
      this.#descriptor = this.#open();
    } catch (error) {
      throw new Error(`log_file: cannot write to ${this.#path} (${(error as NodeJS.ErrnoException).code})`);
    }
  }

  write(line: string): void {
    if (this.#descriptor === undefined) return;
    try {
      const bytes = Buffer.from(line, "utf8");
      if (this.#isDue(bytes.length)) this.#rotate();
      writeSync(this.#descriptor, bytes);
      this.#bytes += bytes.length;
      this.#isFailing = false;
    } catch (error) {
      this.#complain(error);
    }
  }

  /** For a file that others write to as well: looks at its size, and begins a new one if it is due. */
  rotateIfDue(): void {
    if (this.#descriptor === undefined) return;
    try {
      this.#bytes = fstatSync(this.#descriptor).size;
      if (this.#isDue(0)) this.#rotate();
    } catch (error) {
      this.#complain(error);
    }
  }

  /** For who moved the file away: what follows goes to a new one in its place. */
  reopen(): void {
    const before = this.#descriptor;
    if (before === undefined) return;
    try {
      this.#descriptor = this.#open();
      closeSync(before);
    } catch (error) {
      this.#complain(error);
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    const descriptor = openSync(this.#path, "a", 0o600);
    const { size, birthtimeMs } = fstatSync(descriptor);
    this.#bytes = size;
    // Some file systems do not know when a file was made.
    this.#begun = size > 0 && birthtimeMs > 0 ? birthtimeMs : this.#options.now();
    return descriptor;
  }

  #isDue(more: number): boolean {
    const { rotateBytes, rotateSeconds, now } = this.#options;
    if (this.#bytes === 0) return false;
    if (rotateBytes > 0 && this.#bytes + more > rotateBytes) return true;
    return rotateSeconds > 0 && now() - this.#begun >= rotateSeconds * 1000;
  }

  #rotate(): void {
    let stamp = this.#options.now();
    while (isThere(this.#rotated(stamp))) stamp++;
    renameSync(this.#path, this.#rotated(stamp));
    this.reopen();
    this.#options.onRotated?.();
    this.#prune();
  }

  #rotated(stamp: number): string {
    const extension = extname(this.#path);
    return join(dirname(this.#path), `${basename(this.#path, extension)}-${stamp}${extension}`);
  }

  #prune(): void {
    const { maxFiles } = this.#options;
    if (maxFiles === 0) return;
    const extension = extname(this.#path);
    const start = `${basename(this.#path, extension)}-`;
    const stamps = readdirSync(dirname(this.#path))
      .filter((name) => name.startsWith(start) && name.endsWith(extension))
      .map((name) => name.slice(start.length, name.length - extension.length))
      .filter((stamp) => /^\d{1,15}$/.test(stamp))
      .map(Number)
      .sort((a, b) => b - a);
    for (const stamp of stamps.slice(Math.max(0, maxFiles))) rmSync(this.#rotated(stamp), { force: true });
  }

  #complain(error: unknown): void {
    if (!this.#isFailing) this.#options.onTrouble(`the log file ${this.#path} cannot be written: ${String(error)}`);
    this.#isFailing = true;
  }
}

const fileAt = (path: string): string =>
  path.endsWith("/") || statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, fileName) : path;

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
