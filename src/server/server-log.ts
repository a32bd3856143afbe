/** The log of a server as its configuration describes it: to the terminal, and to a file if there is one. */
import type { ServerConfig } from "../config/server-config.ts";
import { LineLog } from "../lib/log.ts";
import { LogFile } from "./log-file.ts";

export interface ServerLog {
  readonly log: LineLog;
  /** Goes on in a new file, if somebody moved the old one away. */
  reopen(): void;
  close(): void;
}

/** Throws a sentence for the operator if the file cannot be written. */
export function openLog(config: ServerConfig, writeLine: (line: string) => void): ServerLog {
  const now = () => Date.now();
  const file =
    config.log_file === undefined
      ? undefined
      : new LogFile({
          path: config.log_file,
          rotateBytes: config.log_rotate_bytes,
          rotateSeconds: config.log_rotate_duration,
          maxFiles: config.log_rotate_max_files,
          now,
          onTrouble: (reason) => writeLine(`${reason}\n`),
        });
  const write = (line: string) => {
    writeLine(line);
    file?.write(line);
  };
  return {
    log: new LineLog({ level: config.log_level, format: config.log_format, write, now }),
    reopen: () => file?.reopen(),
    close: () => file?.close(),
  };
}
