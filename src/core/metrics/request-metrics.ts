/** Requests by what they do, whom they ask and how they end; and those that are under way. */
import type { OperationName } from "../../api/path.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Counter, Histogram, Labeled, Metrics } from "./metrics.ts";

interface Cells {
  /** By the first digit of the status. */
  readonly byClass: (Counter | undefined)[];
  readonly duration: Histogram;
}

export class RequestMetrics {
  readonly #requests: Labeled<Counter>;
  readonly #durations: Labeled<Histogram>;
  readonly #byMountType = new Map<string, Partial<Record<OperationName, Cells>>>();
  readonly #underWay = new Set<Exchange>();

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter("requests_total", "Requests that the core has answered", [
      "operation",
      "mount_type",
      "status",
    ]);
    this.#durations = metrics.histogram("request_duration_seconds", "Time that the core worked on a request", [
      "operation",
      "mount_type",
    ]);
    metrics.gauge("requests_in_flight", "Requests that the core is working on", () => this.#underWay.size, {
      across: "sum",
    });
  }

  get underWay(): Iterable<Exchange> {
    return this.#underWay;
  }

  begin(exchange: Exchange): void {
    this.#underWay.add(exchange);
  }

  end(exchange: Exchange, status: number, milliseconds: number): void {
    this.#underWay.delete(exchange);
    const type = exchange.mount?.entry.type ?? "none";
    const cells = this.#cells(type, exchange.request.operation);
    const digit = Math.floor(status / 100);
    const counter = cells.byClass[digit] ?? this.#counter(cells, type, exchange.request.operation, digit);
    counter.add();
    cells.duration.observe(milliseconds / 1000);
  }

  #cells(type: string, operation: OperationName): Cells {
    let byOperation = this.#byMountType.get(type);
    if (byOperation === undefined) {
      byOperation = {};
      this.#byMountType.set(type, byOperation);
    }
    let cells = byOperation[operation];
    if (cells === undefined) {
      cells = { byClass: [], duration: this.#durations.with(operation, type) };
      byOperation[operation] = cells;
    }
    return cells;
  }

  #counter(cells: Cells, type: string, operation: OperationName, digit: number): Counter {
    const counter = this.#requests.with(operation, type, `${digit}xx`);
    cells.byClass[digit] = counter;
    return counter;
  }
}
