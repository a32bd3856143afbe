/** What this node tells about itself under `sys/`. */
import { hostname } from "node:os";
import type { ServerConfig } from "../config/server-config.ts";
import type { OtherProcesses, ServerNode } from "../core/system/server-node.ts";
import type { LineLog } from "../lib/log.ts";
import { hostInfo } from "./host-info.ts";
import { sanitizedConfig } from "./sanitized-config.ts";

/** `configured` gives the configuration as it was read last. */
export function nodeFacts(configured: () => ServerConfig, logs: LineLog, others: OtherProcesses): ServerNode {
  const { api_addr = "", cluster_addr = "", storage } = configured();
  return {
    hostname: hostname(),
    apiAddress: api_addr,
    clusterAddress: cluster_addr,
    logs,
    others,
    hostInfo: () => hostInfo(storage.type === "lmdb" ? storage.path : "/"),
    sanitizedConfig: () => sanitizedConfig(configured()),
  };
}
