import { expect, test } from "vitest";
import { snapshotOf, together } from "./across-processes.ts";
import { Metrics } from "./metrics.ts";
import { prometheusText } from "./prometheus.ts";

function counted({ reads, waits, memory }: { reads: number; waits: readonly number[]; memory: number }): Metrics {
  const metrics = new Metrics({ prefix: "", stopwatch: () => 0 });
  metrics.counter("reads_total", "Reads", ["status"]).with("2xx").add(reads);
  const histogram = metrics.histogram("wait_seconds", "Waits", [], [0.1, 1]).with();
  for (const wait of waits) histogram.observe(wait);
  metrics.gauge("memory_bytes", "Memory", () => memory, { across: "sum" });
  metrics.gauge("busy", "Busy", () => memory / 100);
  metrics.gauge("started", "Started", () => memory, { across: "smallest" });
  return metrics;
}

test("counters and histograms are added up, gauges as they say", () => {
  const own = counted({ reads: 3, waits: [0.05, 2], memory: 10 });
  const other = counted({ reads: 4, waits: [0.5], memory: 20 });
  other.counter("only_there_total", "Only there").with().add(7);
  // Through a copy, as if another process had sent it.
  const sent = structuredClone(snapshotOf(other));
  expect(prometheusText(together(own, [sent])).replace(/^#.*\n/gm, "")).toBe(`busy 0.2
memory_bytes 30
only_there_total 7
reads_total{status="2xx"} 7
started 10
wait_seconds_bucket{le="0.1"} 1
wait_seconds_bucket{le="1"} 2
wait_seconds_bucket{le="+Inf"} 3
wait_seconds_sum 2.55
wait_seconds_count 3
`);
});

test("a process that is alone shows its own", () => {
  const own = counted({ reads: 3, waits: [], memory: 10 });
  expect(together(own, [])).toBe(own);
});
