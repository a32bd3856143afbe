/** What the runtime knows about this process, and so about all processes of the node together, read when somebody asks for metrics. */
import { performance } from "node:perf_hooks";
import type { Metrics } from "../core/metrics/metrics.ts";

export function addProcessMetrics(metrics: Metrics, version: string): void {
  metrics.gauge("build_info", "Always 1; the labels say what runs", () => 1, {
    labels: { version, runtime: process.version },
  });
  const started = () => Math.round(performance.timeOrigin / 1000);
  metrics.gauge("process_start_time_seconds", "When the first process was started, in seconds since 1970", started, {
    across: "smallest",
  });
  metrics.gauge("process_resident_memory_bytes", "Memory that all processes take", () => process.memoryUsage.rss(), {
    across: "sum",
  });
  metrics.gauge("process_heap_used_bytes", "Memory that objects take", () => process.memoryUsage().heapUsed, {
    across: "sum",
  });
  metrics.runningCounter("process_cpu_seconds_total", "Time that processors have worked for the process", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  // Of the time since the last look: near 1, requests wait for each other.
  let before = performance.eventLoopUtilization();
  metrics.gauge("process_event_loop_utilization", "Part of the time, from 0 to 1, that the event loop was busy", () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  });
}
