import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Metrics } from "./metrics.ts";
import { prometheusText } from "./prometheus.ts";
import { metricsSummary } from "./summary.ts";

const metrics = (prefix?: string) => new Metrics({ prefix, stopwatch: () => 0 });

describe("in the format of Prometheus", () => {
  test("each kind is written as its readers expect", () => {
    const all = metrics();
    const requests = all.counter("requests_total", "Requests", ["operation", "status"]);
    requests.with("read", "2xx").add();
    requests.with("read", "2xx").add(2);
    requests.with("write", "5xx").add();
    all.gauge("sealed", "Whether sealed", () => 1);
    const waits = all.histogram("wait_seconds", "Waiting", [], [0.1, 1]).with();
    for (const value of [0.05, 0.1, 0.5, 7]) waits.observe(value);
    expect(prometheusText(all)).toBe(`# HELP strongroom_requests_total Requests
# TYPE strongroom_requests_total counter
strongroom_requests_total{operation="read",status="2xx"} 3
strongroom_requests_total{operation="write",status="5xx"} 1
# HELP strongroom_sealed Whether sealed
# TYPE strongroom_sealed gauge
strongroom_sealed 1
# HELP strongroom_wait_seconds Waiting
# TYPE strongroom_wait_seconds histogram
strongroom_wait_seconds_bucket{le="0.1"} 2
strongroom_wait_seconds_bucket{le="1"} 3
strongroom_wait_seconds_bucket{le="+Inf"} 4
strongroom_wait_seconds_sum 7.65
strongroom_wait_seconds_count 4
`);
  });

  test.each([
    ['a"b', 'a\\"b'],
    ["a\\b", "a\\\\b"],
    ["a\nb", "a\\nb"],
    ["é}", "é}"],
  ])("the label %j is written %s", (value, written) => {
    const all = metrics();
    all.counter("x_total", "Help\nin \\ lines", ["name"]).with(value).add();
    expect(prometheusText(all)).toContain(`strongroom_x_total{name="${written}"} 1\n`);
    expect(prometheusText(all)).toContain("# HELP strongroom_x_total Help\\nin \\\\ lines\n");
  });

  test.each([
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "+Inf"],
    [Number.NEGATIVE_INFINITY, "-Inf"],
    [1e21, "1e+21"],
    [0.1 + 0.2, "0.30000000000000004"],
  ])("%d is written %s", (value, written) => {
    const all = metrics();
    all.gauge("x", "X", () => value);
    expect(prometheusText(all)).toContain(`strongroom_x ${written}\n`);
  });

  test("what has not happened yet is not mentioned", () => {
    const all = metrics();
    all.counter("x_total", "X", ["name"]);
    expect(prometheusText(all)).toBe("");
  });

  test.each([
    ["vault", "vault_x 1"],
    ["my-team.example", "my_team_example_x 1"],
    ["9lives", "_9lives_x 1"],
    ["", "x 1"],
  ])("the prefix %j gives %s", (prefix, line) => {
    const all = metrics(prefix);
    all.gauge("x", "X", () => 1);
    expect(prometheusText(all)).toContain(`${line}\n`);
  });
});

test("as JSON, in the shape that the peers' tools read", () => {
  const all = metrics();
  all.counter("a_total", "A", ["name"]).with("x").add(3);
  all.gauge("b", "B", () => 7, { labels: { version: "1" } });
  all.runningCounter("d_total", "D", () => 2.5);
  all.runningCounters("e_total", "E", "device", new Map([["file/", 4]]));
  const waits = all.histogram("c_seconds", "C").with();
  for (const value of [1, 2]) waits.observe(value);
  expect(metricsSummary(all, new Date(0))).toEqual({
    Timestamp: "1970-01-01T00:00:00.000Z",
    Gauges: [{ Name: "strongroom_b", Value: 7, Labels: { version: "1" } }],
    Points: [],
    Counters: [
      { Name: "strongroom_a_total", Count: 3, Sum: 3, Mean: 1, Labels: { name: "x" } },
      { Name: "strongroom_d_total", Count: 2.5, Sum: 2.5, Mean: 1, Labels: {} },
      { Name: "strongroom_e_total", Count: 4, Sum: 4, Mean: 1, Labels: { device: "file/" } },
    ],
    Samples: [{ Name: "strongroom_c_seconds", Count: 2, Sum: 3, Mean: 1.5, Labels: {} }],
  });
});

test("each value is counted in every bucket that it fits in", () => {
  const bounds = [1, 2, 5, 10];
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true })), (values) => {
      const all = metrics();
      const cell = all.histogram("x", "X", [], bounds).with();
      for (const value of values) cell.observe(value);
      const [family] = all.families;
      const [distribution] = family?.kind === "histogram" ? family.distributions() : [];
      expect(distribution?.cumulative).toEqual(bounds.map((bound) => values.filter((value) => value <= bound).length));
      expect(distribution?.count).toBe(values.length);
    }),
  );
});

test("no two metrics share a name", () => {
  const all = metrics();
  all.gauge("x", "X", () => 1);
  expect(() => all.counter("x", "X")).toThrow("two metrics are named strongroom_x");
});
