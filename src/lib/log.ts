/** Operational log: one line an event, as text for people or JSON for machines. Secrets are never passed to it. */

export const logLevels = ["trace", "debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "standard" | "json";
  readonly write: (line: string) => void;
  readonly now: () => number;
}

export class LineLog {
  readonly #options: LogOptions;
  level: LogLevel;

  constructor(options: LogOptions) {
    this.#options = options;
    this.level = options.level;
  }

  debug(message: string, fields?: object): void {
    this.#line("debug", message, fields);
  }

  info(message: string, fields?: object): void {
    this.#line("info", message, fields);
  }

  warn(message: string, fields?: object): void {
    this.#line("warn", message, fields);
  }

  error(message: string, fields?: object): void {
    this.#line("error", message, fields);
  }

  #line(level: LogLevel, message: string, fields: object = {}): void {
    if (logLevels.indexOf(level) < logLevels.indexOf(this.level)) return;
    const { format, write, now } = this.#options;
    const time = new Date(now()).toISOString();
    if (format === "json") {
      write(`${JSON.stringify({ "@timestamp": time, "@level": level, "@message": message, ...fields })}\n`);
      return;
    }
    const tail = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    write(`${time} [${level.toUpperCase()}] ${message}${tail.join("")}\n`);
  }
}
