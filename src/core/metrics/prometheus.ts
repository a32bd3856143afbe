/** Metrics in the text format 0.0.4, which Prometheus and those who speak its language read. */
import type { Distribution, Family } from "./metrics.ts";

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

export function prometheusText({ families }: { readonly families: readonly Family[] }): string {
  return families
    .flatMap(familyLines)
    .map((line) => `${line}\n`)
    .join("");
}

function familyLines(family: Family): string[] {
  const { name, help, kind } = family;
  const lines =
    kind === "histogram"
      ? family.distributions().flatMap((each) => distributionLines(name, family.bounds, each))
      : family.samples().map(({ labels, value }) => `${name}${shown(labels)} ${written(value)}`);
  if (lines.length === 0) return [];
  return [`# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}`, `# TYPE ${name} ${kind}`, ...lines];
}

function distributionLines(name: string, bounds: readonly number[], distribution: Distribution): string[] {
  const { labels, cumulative, sum, count } = distribution;
  const buckets = bounds.map((bound, index) => [String(bound), cumulative[index] ?? 0] as const);
  return [
    ...[...buckets, ["+Inf", count] as const].map(
      ([le, value]) => `${name}_bucket${shown({ ...labels, le })} ${value}`,
    ),
    `${name}_sum${shown(labels)} ${written(sum)}`,
    `${name}_count${shown(labels)} ${count}`,
  ];
}

function shown(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string) => value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");

const written = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
};
