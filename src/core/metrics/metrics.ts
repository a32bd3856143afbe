/** Counts what this process does. Nothing here outlives it; what the processes of a node counted is put together elsewhere. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Distribution {
  readonly labels: Readonly<Record<string, string>>;
  /** How many values were at most as large as each of the bounds. */
  readonly cumulative: readonly number[];
  readonly sum: number;
  readonly count: number;
}

interface Named {
  readonly name: string;
  readonly help: string;
}

/** What a node with several processes shows of their values. Counters and histograms are always added up. */
export type Across = "sum" | "largest" | "smallest";

export type Family =
  | (Named & { readonly kind: "counter" | "gauge"; readonly across: Across; samples(): Sample[] })
  | (Named & { readonly kind: "histogram"; readonly bounds: readonly number[]; distributions(): Distribution[] });

/** One counted thing with its labels; only grows. */
export class Counter {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

/** Seconds, from a cached read to a request that waits for a slow database. */
const durationBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30];

/** How large values were, in buckets with fixed bounds: adding one is a short search and two additions. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
  }

  distribution(labels: Distribution["labels"]): Distribution {
    let count = 0;
    const cumulative = this.#counts.map((each) => {
      count += each;
      return count;
    });
    return { labels, cumulative: cumulative.slice(0, -1), sum: this.#sum, count };
  }
}

/** The same thing under different labels, each made when it first occurs. */
class Labeled<Cell> {
  readonly #names: readonly string[];
  readonly #make: () => Cell;
  readonly #cells = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly cell: Cell }>();

  constructor(names: readonly string[], make: () => Cell) {
    this.#names = names;
    this.#make = make;
  }

  /** One value for each label, in order. Keep the answer where this is asked often. */
  with(...values: string[]): Cell {
    const key = values.join("\u0000");
    const existing = this.#cells.get(key);
    if (existing) return existing.cell;
    const labels = Object.fromEntries(this.#names.map((name, index) => [name, values[index] ?? ""]));
    const cell = this.#make();
    this.#cells.set(key, { labels, cell });
    return cell;
  }

  map<Result>(show: (cell: Cell, labels: Readonly<Record<string, string>>) => Result): Result[] {
    return [...this.#cells.values()].map(({ cell, labels }) => show(cell, labels));
  }
}

export type { Labeled };

export interface MetricsOptions {
  /** What all names begin with. */
  readonly prefix?: string | undefined;
  /** Whether they are offered in the format of Prometheus; true unless said otherwise. */
  readonly prometheus?: boolean | undefined;
  /** Milliseconds with fractions, from any beginning; never goes back. */
  readonly stopwatch: () => number;
}

export interface GaugeOptions {
  readonly across?: Across;
  readonly labels?: Sample["labels"];
}

export class Metrics {
  readonly #prefix: string;
  readonly #families: Family[] = [];
  readonly offersPrometheus: boolean;
  readonly stopwatch: () => number;

  constructor({ prefix = "strongroom", prometheus = true, stopwatch }: MetricsOptions) {
    const clean = prefix.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_");
    this.#prefix = clean === "" ? "" : `${clean}_`;
    this.offersPrometheus = prometheus;
    this.stopwatch = stopwatch;
  }

  /** By convention of those who read it, its name ends in `_total`. */
  counter(name: string, help: string, labels: readonly string[] = []): Labeled<Counter> {
    const cells = new Labeled(labels, () => new Counter());
    const samples = () => cells.map(({ value }, shown) => ({ labels: shown, value }));
    this.#add({ name: this.#prefix + name, help, kind: "counter", across: "sum", samples });
    return cells;
  }

  /** Asked for when somebody reads it, so that it costs nothing until then. */
  gauge(name: string, help: string, read: () => number, { across = "largest", labels = {} }: GaugeOptions = {}): void {
    this.#add({ name: this.#prefix + name, help, kind: "gauge", across, samples: () => [{ labels, value: read() }] });
  }

  /** A sum that somebody else keeps, such as the time that the processor has worked for this process. */
  runningCounter(name: string, help: string, read: () => number): void {
    const samples = () => [{ labels: {}, value: read() }];
    this.#add({ name: this.#prefix + name, help, kind: "counter", across: "sum", samples });
  }

  /** Counts that somebody else keeps by name, such as failures by device. */
  runningCounters(name: string, help: string, label: string, counts: ReadonlyMap<string, number>): void {
    const samples = () => [...counts].map(([key, value]) => ({ labels: { [label]: key }, value }));
    this.#add({ name: this.#prefix + name, help, kind: "counter", across: "sum", samples });
  }

  /** Samples that somebody else keeps, each with its own labels. */
  byLabel(name: string, help: string, kind: "counter" | "gauge", samples: () => Sample[]): void {
    this.#add({ name: this.#prefix + name, help, kind, across: "sum", samples });
  }

  histogram(name: string, help: string, labels: readonly string[] = [], bounds = durationBounds): Labeled<Histogram> {
    const cells = new Labeled(labels, () => new Histogram(bounds));
    const distributions = () => cells.map((cell, shown) => cell.distribution(shown));
    this.#add({ name: this.#prefix + name, help, kind: "histogram", bounds, distributions });
    return cells;
  }

  /** In the order of their names. */
  get families(): readonly Family[] {
    return [...this.#families].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #add(family: Family): void {
    if (this.#families.some(({ name }) => name === family.name))
      throw new Error(`two metrics are named ${family.name}`);
    this.#families.push(family);
  }
}
