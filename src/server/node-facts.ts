/** What this process tells about itself under `sys/`. */
import { hostname } from "node:os";
import type { ServerConfig } from "../config/server-config.ts";
import type { ServerNode } from "../core/system/server-node.ts";
import type { LineLog } from "../lib/log.ts";
import { hostInfo } from "./host-info.ts";
import { sanitizedConfig } from "./sanitized-config.ts";

/** `configured` gives the configuration as it was read last. */
export function nodeFacts(configured: () => ServerConfig, logs: LineLog): ServerNode {
  const { api_addr = "", cluster_addr = "", storage } = configured();
  return {
    hostname: hostname(),
    apiAddress: api_addr,
    clusterAddress: cluster_addr,
    logs,
    hostInfo: () => hostInfo(storage.type === "lmdb" ? storage.path : "/"),
    sanitizedConfig: () => sanitizedConfig(configured()),
  };
}
