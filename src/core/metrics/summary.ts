/** Metrics as JSON, in the shape that the peers' tools read. */
import type { Family } from "./metrics.ts";

type Labels = Readonly<Record<string, string>>;

export interface MetricsSummary {
  readonly Timestamp: string;
  readonly Gauges: readonly { readonly Name: string; readonly Value: number; readonly Labels: Labels }[];
  readonly Points: readonly never[];
  readonly Counters: readonly CounterSummary[];
  readonly Samples: readonly CounterSummary[];
}

interface CounterSummary {
  readonly Name: string;
  readonly Count: number;
  readonly Sum: number;
  readonly Mean: number;
  readonly Labels: Labels;
}

export function metricsSummary({ families }: { readonly families: readonly Family[] }, now: Date): MetricsSummary {
  return {
    Timestamp: now.toISOString(),
    Gauges: samplesOf(families, "gauge").map(({ name, value, labels }) => ({
      Name: name,
      Value: value,
      Labels: labels,
    })),
    Points: [],
    Counters: samplesOf(families, "counter").map(({ name, value, labels }) => summary(name, value, value, labels)),
    Samples: families.flatMap((family) =>
      family.kind === "histogram"
        ? family.distributions().map(({ labels, sum, count }) => summary(family.name, count, sum, labels))
        : [],
    ),
  };
}

const samplesOf = (families: readonly Family[], kind: "counter" | "gauge") =>
  families.flatMap((family) =>
    family.kind === kind ? family.samples().map((sample) => ({ name: family.name, ...sample })) : [],
  );

const summary = (name: string, count: number, sum: number, labels: Labels): CounterSummary => ({
  Name: name,
  Count: count,
  Sum: sum,
  Mean: count === 0 ? 0 : sum / count,
  Labels: labels,
});
