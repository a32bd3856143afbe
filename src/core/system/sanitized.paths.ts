/** Declares `sys/config/state/sanitized`: how this process was configured, without secrets. */
import { Open, pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const sanitized = path({
  pattern: "config/state/sanitized",
  summary: "How this process is configured",
  read: {
    summary: "Read the configuration without anything that could be secret",
    openOutput: true,
    handler: async (_input, { services }) => new Open(services.node.sanitizedConfig()),
  },
});

export const sanitizedPaths = [sanitized];
