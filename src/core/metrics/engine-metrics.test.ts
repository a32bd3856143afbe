import { expect, test } from "vitest";
import { MountMetrics } from "./engine-metrics.ts";
import { Metrics } from "./metrics.ts";

const samplesOf = (metrics: Metrics) =>
  metrics.families.flatMap((family) => (family.kind === "histogram" ? [] : family.samples()));

test("engines of one type share a metric, told apart by their mounts, also when one moves and when one goes", () => {
  const metrics = new Metrics({ prefix: "", stopwatch: () => 0 });
  const mounts = new MountMetrics(metrics);
  mounts.of("1", "one/").count("made_total", "Things made");
  mounts.of("1", "one/").count("made_total", "Things made", 2);
  mounts.of("2", "two/").count("made_total", "Things made");
  mounts.of("1", "moved/");
  expect(samplesOf(metrics)).toEqual([
    { labels: { mount_point: "moved/" }, value: 3 },
    { labels: { mount_point: "two/" }, value: 1 },
  ]);
  mounts.forget("1");
  mounts.of("2", "two/").gauge("alive", "Things alive", () => 7);
  expect(samplesOf(metrics)).toEqual([
    { labels: { mount_point: "two/" }, value: 7 },
    { labels: { mount_point: "two/" }, value: 1 },
  ]);
});
