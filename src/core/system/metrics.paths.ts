/** Declares `sys/metrics`: what the processes of this node have counted together. */
import { text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { RawReply } from "../../api/reply.ts";
import { together } from "../metrics/across-processes.ts";
import { prometheusText, prometheusType } from "../metrics/prometheus.ts";
import { metricsSummary } from "../metrics/summary.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

/** Scrapers say in a header what they read, and not always in the query. */
const wantsOpenMetrics = (accept = "") => accept.includes("application/openmetrics-text");

/** Scrapers show plain text to people. */
const refused = (reason: string) => new RawReply(`${reason}\n`, "text/plain; charset=utf-8", { status: 400 });

const wholeNode = async ({ metrics, node }: SystemServices) => together(metrics, await node.others.metrics());

const metrics = path({
  pattern: "metrics",
  summary: "What this node has counted since it was started",
  bare: true,
  read: {
    summary: "Read all metrics",
    input: { format: text("prometheus for its text format; JSON without it").default("") },
    async handler({ format }, { services, request, now }) {
      if (format === "prometheus" || (format === "" && wantsOpenMetrics(request.header("accept")))) {
        if (!services.metrics.offersPrometheus) return refused("prometheus is not enabled");
        return new RawReply(prometheusText(await wholeNode(services)), prometheusType);
      }
      if (format === "" || format === "json") {
        return new RawReply(`${JSON.stringify(metricsSummary(await wholeNode(services), now))}\n`, "application/json");
      }
      return refused("the format must be prometheus or json");
    },
  },
});

export const metricsPaths = [metrics];
