/** What the processes of a node have counted, put together: each asks the others and adds its own. */
import type { Across, Distribution, Family, Metrics, Sample } from "./metrics.ts";

/** The values of a metric at one moment, as they are sent from one process to another. */
export type FamilySnapshot = Described &
  (
    | { readonly kind: "counter" | "gauge"; readonly across: Across; readonly samples: readonly Sample[] }
    | {
        readonly kind: "histogram";
        readonly bounds: readonly number[];
        readonly distributions: readonly Distribution[];
      }
  );

interface Described {
  readonly name: string;
  readonly help: string;
}

export const snapshotOf = ({ families }: Pick<Metrics, "families">): FamilySnapshot[] =>
  families.map((family) => {
    const { name, help } = family;
    return family.kind === "histogram"
      ? { name, help, kind: family.kind, bounds: family.bounds, distributions: family.distributions() }
      : { name, help, kind: family.kind, across: family.across, samples: family.samples() };
  });

export function together(
  own: Pick<Metrics, "families">,
  others: readonly (readonly FamilySnapshot[])[],
): { readonly families: readonly Family[] } {
  if (others.length === 0) return own;
  const byName = new Map<string, FamilySnapshot>();
  for (const family of [snapshotOf(own), ...others].flat()) {
    const before = byName.get(family.name);
    byName.set(family.name, before === undefined ? family : joined(before, family));
  }
  return { families: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(shown) };
}

const shown = (family: FamilySnapshot): Family =>
  family.kind === "histogram"
    ? { ...family, distributions: () => [...family.distributions] }
    : { ...family, samples: () => [...family.samples] };

/** Processes of one node run the same program, so that one name is one kind. */
function joined(a: FamilySnapshot, b: FamilySnapshot): FamilySnapshot {
  if (a.kind === "histogram") {
    if (b.kind !== "histogram") return a;
    return { ...a, distributions: byLabels([...a.distributions, ...b.distributions], addDistributions) };
  }
  if (b.kind === "histogram") return a;
  const join = (x: Sample, y: Sample) => ({ labels: x.labels, value: combine[a.across](x.value, y.value) });
  return { ...a, samples: byLabels([...a.samples, ...b.samples], join) };
}

const combine: Readonly<Record<Across, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  largest: Math.max,
  smallest: Math.min,
};

const addDistributions = (a: Distribution, b: Distribution): Distribution => ({
  labels: a.labels,
  cumulative: a.cumulative.map((count, index) => count + (b.cumulative[index] ?? 0)),
  sum: a.sum + b.sum,
  count: a.count + b.count,
});

function byLabels<Labeled extends { readonly labels: Sample["labels"] }>(
  all: readonly Labeled[],
  join: (a: Labeled, b: Labeled) => Labeled,
): Labeled[] {
  const found = new Map<string, Labeled>();
  for (const each of all) {
    const key = JSON.stringify(Object.entries(each.labels));
    const before = found.get(key);
    found.set(key, before === undefined ? each : join(before, each));
  }
  return [...found.values()];
}
