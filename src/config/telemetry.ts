/** `telemetry`: how metrics are named. */
import { duration, flag, text } from "./kinds.ts";
import { Group, Ignored } from "./setting.ts";

const onlyScraped = new Ignored("metrics are read from sys/metrics, and sent nowhere");
const nothingExpensive = new Ignored("no metric is expensive to count, so none is counted from time to time only");
const filteredByReader = new Ignored("every metric is offered: leave out where they are read what nobody wants");
const labeledByReader = new Ignored("whoever reads metrics knows which host it asked");

export const telemetry = new Group("Metrics, which are read from `sys/metrics`.", {
  metrics_prefix: text("What the names of all metrics begin with").default("strongroom"),
  prometheus_retention_time: duration(
    "0 refuses metrics in the format of Prometheus; else they are kept for as long as the process lives",
  ).default("24h"),
  disable_hostname: flag("Accepted as other servers have it: no metric has the host's name in its own").default(false),
  enable_hostname_label: labeledByReader,
  usage_gauge_period: nothingExpensive,
  maximum_gauge_cardinality: nothingExpensive,
  lease_metrics_epsilon: nothingExpensive,
  num_lease_metrics_buckets: nothingExpensive,
  add_lease_metrics_namespace_labels: nothingExpensive,
  filter_default: filteredByReader,
  prefix_filter: filteredByReader,
  statsite_address: onlyScraped,
  statsd_address: onlyScraped,
  dogstatsd_addr: onlyScraped,
  dogstatsd_tags: onlyScraped,
});
