/** What this one process is, where it runs and how it is set up: told under `sys/`, never stored. */
import type { JsonObject } from "../../lib/json.ts";
import { LineLog } from "../../lib/log.ts";

export interface ServerNode {
  readonly hostname: string;
  /** URL that clients reach it by; empty if nobody said. */
  readonly apiAddress: string;
  readonly clusterAddress: string;
  readonly logs: LineLog;
  hostInfo(): Promise<HostInfo>;
  /** The configuration without anything that could be secret. */
  sanitizedConfig(): Readonly<JsonObject>;
}

/** Sizes in bytes, times in seconds; names as the peers' tools read them. */
export interface HostInfo {
  readonly cpu: readonly { readonly cpu: number; readonly modelName: string; readonly mhz: number }[];
  readonly cpu_times: readonly {
    readonly cpu: string;
    readonly user: number;
    readonly system: number;
    readonly idle: number;
    readonly nice: number;
    readonly irq: number;
  }[];
  readonly disk: readonly {
    readonly path: string;
    readonly total: number;
    readonly free: number;
    readonly used: number;
  }[];
  readonly host: {
    readonly hostname: string;
    readonly uptime: number;
    readonly bootTime: number;
    readonly os: string;
    readonly platform: string;
    readonly kernelVersion: string;
    readonly kernelArch: string;
  };
  readonly memory: { readonly total: number; readonly available: number; readonly used: number };
}

const nowhere: HostInfo = {
  cpu: [],
  cpu_times: [],
  disk: [],
  host: { hostname: "", uptime: 0, bootTime: 0, os: "", platform: "", kernelVersion: "", kernelArch: "" },
  memory: { total: 0, available: 0, used: 0 },
};

/** For a core without a server around it. */
export function bareNode(): ServerNode {
  const logs = new LineLog({ level: "info", format: "standard", write: () => {}, now: () => 0 });
  logs.named("core");
  return {
    hostname: "",
    apiAddress: "",
    clusterAddress: "",
    logs,
    hostInfo: async () => nowhere,
    sanitizedConfig: () => ({}),
  };
}
