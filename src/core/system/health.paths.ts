/** Declares `sys/health` and `sys/leader`, which load balancers and monitors ask. */
import { ApiError, sealed } from "../../api/errors.ts";
import { flag, integer, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { RawReply } from "../../api/reply.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const codeFields = {
  standbyok: text("Answer a standby like an active server").default(""),
  perfstandbyok: text("Answer a performance standby like an active server").default(""),
  activecode: text("Status when active").default("200"),
  standbycode: text("Status when standby").default("429"),
  drsecondarycode: text("Status of a disaster recovery secondary").default("472"),
  performancestandbycode: text("Status of a performance standby").default("473"),
  sealedcode: text("Status when sealed").default("503"),
  uninitcode: text("Status when not initialized").default("501"),
};

const health = path({
  pattern: "health",
  summary: "Health of the server, told by the status code",
  access: "public",
  whileSealed: true,
  bare: true,
  read: {
    summary: "Read the server's health",
    input: codeFields,
    output: {
      initialized: flag("Whether the store was initialized"),
      sealed: flag("Whether the server is sealed"),
      standby: flag("Whether another server leads; never, since every server serves"),
      performance_standby: flag("Always false"),
      replication_performance_mode: text("Always disabled"),
      replication_dr_mode: text("Always disabled"),
      server_time_utc: integer("Seconds since 1970"),
      version: text("Version of the server"),
      cluster_name: text("Name of the cluster").optional(),
      cluster_id: text("Identifier of the cluster").optional(),
    },
    async handler(codes, { services, now }) {
      const { status, body } = await healthOf(codes, services, now);
      return new RawReply(`${JSON.stringify(body)}\n`, "application/json", { status });
    },
  },
  head: {
    summary: "Ask for the status code alone",
    async handler(_input, { services, now, body }) {
      const { status } = await healthOf({ ...defaultCodes, ...(body as Codes) }, services, now);
      return new RawReply(undefined, "application/json", { status });
    },
  },
});

type Codes = { activecode: string; sealedcode: string; uninitcode: string };
const defaultCodes: Codes = { activecode: "200", sealedcode: "503", uninitcode: "501" };

async function healthOf(codes: Codes, services: SystemServices, now: Date) {
  const { seal, version, clusterName } = services;
  const { isSealed } = seal.barrier;
  const initialized = !isSealed || (await seal.isInitialized());
  const code = initialized ? (isSealed ? codes.sealedcode : codes.activecode) : codes.uninitcode;
  const body = {
    initialized,
    sealed: isSealed,
    standby: false,
    performance_standby: false,
    replication_performance_mode: "disabled",
    replication_dr_mode: "disabled",
    server_time_utc: Math.floor(now.getTime() / 1000),
    version,
    ...(!isSealed && { cluster_name: clusterName }),
  };
  return { status: statusCode(code), body };
}

function statusCode(text: string): number {
  const code = Number(text);
  if (!/^\d{3}$/.test(text) || code < 200 || code > 599) throw new ApiError(400, []);
  return code;
}

const leader = path({
  pattern: "leader",
  summary: "Which server leads",
  access: "public",
  whileSealed: true,
  bare: true,
  read: {
    summary: "Read who leads",
    output: {
      ha_enabled: flag("Whether servers elect a leader; never, since every server serves reads and writes"),
      is_self: flag("Whether this server leads: always, since every server does"),
      leader_address: text("URL that clients reach this server by, if it is configured"),
      leader_cluster_address: text("URL that other servers would reach it by, if it is configured"),
      performance_standby: flag("Always false"),
    },
    async handler(_input, { services }) {
      if (services.seal.barrier.isSealed) throw sealed();
      return {
        ha_enabled: false,
        is_self: true,
        leader_address: services.node.apiAddress,
        leader_cluster_address: services.node.clusterAddress,
        performance_standby: false,
      };
    },
  },
});

export const healthPaths = [health, leader];
