/** What this node is, where it runs and how it is set up: told under `sys/`, never stored. */
import type { JsonObject } from "../../lib/json.ts";
import { LineLog, type LogLevel } from "../../lib/log.ts";
import type { FamilySnapshot } from "../metrics/across-processes.ts";
import type { RequestsUnderWay } from "./under-way.ts";

export interface ServerNode {
  readonly hostname: string;
  /** URL that clients reach it by; empty if nobody said. */
  readonly apiAddress: string;
  readonly clusterAddress: string;
  readonly logs: LineLog;
  readonly others: OtherProcesses;
  hostInfo(): Promise<HostInfo>;
  /** The configuration without anything that could be secret. */
  sanitizedConfig(): Readonly<JsonObject>;
}

/** What the other worker processes of this node are asked and told; who does not answer in time is left out. */
export interface OtherProcesses {
  metrics(): Promise<readonly (readonly FamilySnapshot[])[]>;
  underWay(): Promise<readonly RequestsUnderWay[]>;
  setLogLevel(change: LogLevelChange): Promise<void>;
}

export interface LogLevelChange {
  /** Undefined for all loggers. */
  readonly name: string | undefined;
  /** Undefined for the level of the configuration. */
  readonly level: LogLevel | undefined;
}

/** For a process that has no others beside it. */
export const noOthers: OtherProcesses = {
  metrics: async () => [],
  underWay: async () => [],
  setLogLevel: async () => {},
};

export function changeLogLevel(logs: LineLog, { name, level }: LogLevelChange): void {
  for (const log of name === undefined ? logs.parts : [logs.named(name)]) log.setLevel(level);
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
    others: noOthers,
    hostInfo: async () => nowhere,
    sanitizedConfig: () => ({}),
  };
}
