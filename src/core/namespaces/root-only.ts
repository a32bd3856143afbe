/** Paths below `sys/` that are about the server as a whole, and so answer in the root namespace only. */
import { invalidRequest } from "../../api/errors.ts";

const rootOnly = [
  "audit",
  "audit-hash",
  "config/auditing",
  "config/cors",
  "config/reload",
  "config/state",
  "config/ui",
  "decode-token",
  "generate-recovery-token",
  "generate-root",
  "generate-root-token",
  "health",
  "host-info",
  "in-flight-req",
  "init",
  "internal/inspect",
  "key-status",
  "loggers",
  "metrics",
  "monitor",
  "pprof",
  "quotas/config",
  "raw",
  "rekey",
  "rekey-recovery-key",
  "replication",
  "rotate",
  "seal",
  "step-down",
  "storage",
  "unseal",
  "version-history",
];

const exact: ReadonlySet<string> = new Set(rootOnly.map((path) => `sys/${path}`));

/** `sys/rotate` and everything below it; `sys/rotated` is another path. */
export function isRootOnly(path: string): boolean {
  if (!path.startsWith("sys/")) return false;
  for (let slash = path.indexOf("/", 4); slash > 0; slash = path.indexOf("/", slash + 1)) {
    if (exact.has(path.slice(0, slash))) return true;
  }
  return exact.has(path);
}

export const unavailableInNamespaces = () => invalidRequest("operation unavailable in namespaces");
