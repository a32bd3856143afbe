/** Operational log: one line an event, as text for people or JSON for machines. Secrets are never passed to it. */

export const logLevels = ["trace", "debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: "standard" | "json";
  readonly write: (line: string) => void;
  readonly now: () => number;
}

const ranks: Readonly<Record<LogLevel, number>> = { trace: 0, debug: 1, info: 2, warn: 3, error: 4 };

/** A part of the server that logs under a name of its own, at the level of the whole log unless it has one itself. */
export class NamedLog {
  readonly name: string;
  readonly #whole: LineLog;
  /** Set while the server runs, and forgotten with it. */
  #ownLevel: LogLevel | undefined;

  constructor(whole: LineLog, name: string) {
    this.#whole = whole;
    this.name = name;
  }

  get level(): LogLevel {
    return this.#ownLevel ?? this.#whole.level;
  }

  setLevel(level: LogLevel | undefined): void {
    this.#ownLevel = level;
  }

  trace(message: string, fields?: object): void {
    this.write("trace", message, fields);
  }

  debug(message: string, fields?: object): void {
    this.write("debug", message, fields);
  }

  info(message: string, fields?: object): void {
    this.write("info", message, fields);
  }

  warn(message: string, fields?: object): void {
    this.write("warn", message, fields);
  }

  error(message: string, fields?: object): void {
    this.write("error", message, fields);
  }

  write(level: LogLevel, message: string, fields?: object): void {
    if (this.shows(level)) this.#whole.line(level, this.name, message, fields);
  }

  shows(level: LogLevel): boolean {
    return ranks[level] >= ranks[this.level];
  }
}

/** All parts of the log: where they write to, and how much they say. */
export class LineLog {
  readonly #options: LogOptions;
  readonly #parts = new Map<string, NamedLog>();
  #level: LogLevel;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#level = options.level;
  }

  get level(): LogLevel {
    return this.#level;
  }

  /** Configured anew: what was set for single parts is forgotten. */
  configure(level: LogLevel): void {
    this.#level = level;
    for (const part of this.#parts.values()) part.setLevel(undefined);
  }

  named(name: string): NamedLog {
    const existing = this.#parts.get(name);
    if (existing) return existing;
    const made = new NamedLog(this, name);
    this.#parts.set(name, made);
    return made;
  }

  /** In the order in which they were first named. */
  get parts(): readonly NamedLog[] {
    return [...this.#parts.values()];
  }

  /** Whether there is such a part, without making one. */
  part(name: string): NamedLog | undefined {
    return this.#parts.get(name);
  }

  line(level: LogLevel, name: string, message: string, fields: object = {}): void {
    const { format, write, now } = this.#options;
    const time = new Date(now()).toISOString();
    if (format === "json") {
      const event = { "@timestamp": time, "@level": level, "@module": name, "@message": message, ...fields };
      write(`${JSON.stringify(event)}\n`);
      return;
    }
    const tail = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
    write(`${time} [${level.toUpperCase()}] ${name}: ${message}${tail.join("")}\n`);
  }
}
