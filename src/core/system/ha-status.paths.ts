/** Declares `sys/ha-status` and `sys/step-down`, for tools that expect one leader among several servers. */
import { flag, groups, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const haStatus = path({
  pattern: "ha-status",
  summary: "The servers of this installation",
  dataOnTop: true,
  read: {
    summary: "Read about this server; servers that share a store do not know of each other",
    output: {
      nodes: groups("Servers", {
        hostname: text("Name of its machine"),
        api_address: text("URL that clients reach it by"),
        cluster_address: text("URL that other servers would reach it by"),
        active_node: flag("Whether it serves reads and writes; always true"),
        last_echo: text("When another server heard of it last; never").nullable(),
        version: text("Its version"),
      }),
    },
    async handler(_input, { services: { node, version } }) {
      const { hostname, apiAddress, clusterAddress } = node;
      const self = { hostname, api_address: apiAddress, cluster_address: clusterAddress, version };
      return { nodes: [{ ...self, active_node: true, last_echo: null }] };
    },
  },
});

const stepDown = path({
  pattern: "step-down",
  summary: "Give up leading",
  write: {
    summary: "Accepted, and without effect: every server serves, so none has a place to give up",
    sudo: true,
    handler: async () => undefined,
  },
});

export const haStatusPaths = [haStatus, stepDown];
