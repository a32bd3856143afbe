/** `telemetry`: which metrics are kept, and how they are named. */
import { duration, flag, integer, list, text } from "./kinds.ts";
import { Group, Ignored } from "./setting.ts";

const onlyScraped = new Ignored("metrics are read from sys/metrics, and sent nowhere");

export const telemetry = new Group("Metrics, which are read from `sys/metrics`.", {
  prometheus_retention_time: duration("How long a metric that nothing touches is kept. 0 turns metrics off").default(
    "24h",
  ),
  metrics_prefix: text("What the names of all metrics begin with").default("strongroom"),
  disable_hostname: flag("Leave the host's name out of the names of gauges").default(false),
  enable_hostname_label: flag("Give every metric a label with the host's name").default(false),
  usage_gauge_period: duration("How often things are counted that are expensive to count. 0 for never").default("10m"),
  maximum_gauge_cardinality: integer("Different sets of labels that one gauge may have", {
    least: 1,
    most: 100_000,
  }).default(500),
  lease_metrics_epsilon: duration("Width of the steps in which leases are counted by when they expire").default("1h"),
  num_lease_metrics_buckets: integer("Number of these steps", { least: 1, most: 10_000 }).default(168),
  add_lease_metrics_namespace_labels: flag("Count leases for each namespace apart").default(false),
  filter_default: flag("Keep metrics that no filter names").default(true),
  prefix_filter: list('Filters: `"+token"` keeps metrics that begin so, `"-expire"` drops them').default([]),
  statsite_address: onlyScraped,
  statsd_address: onlyScraped,
  dogstatsd_addr: onlyScraped,
  dogstatsd_tags: onlyScraped,
});
