import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { engines } from "../../test/support/engines.ts";
import { developmentSource } from "../config/development.ts";
import { parseServerConfig } from "../config/server-config.ts";
import { MeasuredStore } from "../core/metrics/measured-store.ts";
import { Metrics } from "../core/metrics/metrics.ts";
import { MemoryStore } from "../core/storage/memory.ts";
import { openKernel } from "./open-kernel.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { openLog } from "./server-log.ts";

test("every metric is described for operators, and no other", () => {
  const { config } = parseServerConfig([developmentSource({ address: "127.0.0.1:0" })]);
  const metrics = new Metrics({ prefix: "", stopwatch: () => 0 });
  const store = new MeasuredStore(new MemoryStore(), metrics);
  addProcessMetrics(metrics, "1.0.0");
  const { log } = openLog(config, () => {});
  openKernel({ store, engines, metrics, current: { config }, log, version: "1.0.0", buildDate: "" });
  const made = new Set([...metrics.families.map(({ name }) => name), "http_responses_total"]);

  const text = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const rows = text.slice(text.indexOf("| Metric |")).split("\n\n", 1)[0]!.split("\n").slice(2);
  const described = rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
  expect(new Set(described)).toEqual(made);
});
