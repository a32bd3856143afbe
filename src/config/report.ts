/** Collects what is wrong or doubtful in a configuration, so that everything can be said at once. */
import { HclError } from "../lib/hcl/error.ts";
import type { Position } from "../lib/hcl/syntax-tree.ts";

/** Where something was written: in a file, or (without a position) in an environment variable or nowhere in a file. */
export interface Place {
  readonly file: string;
  readonly position?: Position | undefined;
}

interface Finding {
  readonly place: Place;
  readonly text: string;
}

/** The configuration cannot be used; the message has one line for each reason. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const heading =
      problems.length === 1 ? "the configuration is wrong" : `the configuration has ${problems.length} errors`;
    super([`${heading}:`, ...problems.map((problem) => `  ${problem}`)].join("\n"));
    this.problems = problems;
  }
}

export class Report {
  readonly #files: readonly string[];
  readonly #withoutLines: ReadonlySet<string>;
  readonly #problems: Finding[] = [];
  readonly #warnings: Finding[] = [];

  /** Findings are told in the order of these files; of those without lines, positions mean nothing to anybody. */
  constructor(files: readonly string[], withoutLines: readonly string[] = []) {
    this.#files = files;
    this.#withoutLines = new Set(withoutLines);
  }

  problem(place: Place, text: string): void {
    this.#problems.push({ place, text });
  }

  warning(place: Place, text: string): void {
    this.#warnings.push({ place, text });
  }

  /** What `read` answers; undefined, with the problem noted, if it finds the value wrong. */
  attempt<Result>(file: string, key: string, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof HclError)) throw error;
      this.problem({ file, position: error.position }, `${key}: ${error.reason}`);
      return undefined;
    }
  }

  get problemCount(): number {
    return this.#problems.length;
  }

  get problems(): string[] {
    return this.#sorted(this.#problems);
  }

  get warnings(): string[] {
    return this.#sorted(this.#warnings);
  }

  #sorted(findings: readonly Finding[]): string[] {
    return findings
      .toSorted((a, b) => this.#compare(a.place, b.place))
      .map(({ place, text }) => `${this.shown(place)}: ${text}`);
  }

  /** How a place is told. */
  shown({ file, position }: Place): string {
    if (position === undefined || this.#withoutLines.has(file)) return file;
    return `${file}:${position.line}:${position.column}`;
  }

  #compare(a: Place, b: Place): number {
    const files = this.#files.indexOf(a.file) - this.#files.indexOf(b.file);
    if (files !== 0) return files;
    const lines = (a.position?.line ?? 0) - (b.position?.line ?? 0);
    return lines !== 0 ? lines : (a.position?.column ?? 0) - (b.position?.column ?? 0);
  }
}
