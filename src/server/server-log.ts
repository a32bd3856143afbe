/** The log of a server as its configuration describes it: to the terminal, and to a file if there is one. */
import type { ServerConfig } from "../config/server-config.ts";
import { LineLog } from "../lib/log.ts";
import { LogFile } from "./log-file.ts";

export interface ServerLog {
  readonly log: LineLog;
  /** Goes on in a new file, if somebody moved the old one away. */
  reopen(): void;
  /** Begins a new file if the one that several processes write to is due for it. */
  rotateIfDue(): void;
  close(): void;
}

/** Processes that share a file leave it to one of them to begin a new one. */
export interface LogSharing {
  readonly rotates: boolean;
  readonly onRotated?: () => void;
}

/** Throws a sentence for the operator if the file cannot be written. */
export function openLog(
  config: ServerConfig,
  writeLine: (line: string) => void,
  { rotates, onRotated }: LogSharing = { rotates: true },
): ServerLog {
  const now = () => Date.now();
  const file =
    config.log_file === undefined
      ? undefined
      : new LogFile({
          path: config.log_file,
          rotateBytes: rotates ? config.log_rotate_bytes : 0,
          rotateSeconds: rotates ? config.log_rotate_duration : 0,
          maxFiles: config.log_rotate_max_files,
          now,
          onRotated,
          onTrouble: (reason) => writeLine(`${reason}\n`),
        });
  const write = (line: string) => {
    writeLine(line);
    file?.write(line);
  };
  return {
    log: new LineLog({ level: config.log_level, format: config.log_format, write, now }),
    reopen: () => file?.reopen(),
    rotateIfDue: () => file?.rotateIfDue(),
    close: () => file?.close(),
  };
}
