/** Declares `sys/host-info`: the machine that this process runs on. */
import { group, groups, integer, number, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import type { SystemServices } from "./system-core.ts";

const path = pathsFor<SystemServices>();

const hostInfo = path({
  pattern: "host-info",
  summary: "The machine that this process runs on",
  read: {
    summary: "Read about processors, memory and disks",
    sudo: true,
    output: {
      timestamp: text("When this was read"),
      cpu: groups("Processors", {
        cpu: integer("Number of the processor"),
        modelName: text("What it is called"),
        mhz: integer("Its speed"),
      }),
      cpu_times: groups("Seconds that processors have worked since the machine was started", {
        cpu: text("Name of the processor"),
        user: number("For programs"),
        system: number("For the system"),
        idle: number("For nobody"),
        nice: number("For programs that give way"),
        irq: number("For interrupts"),
      }),
      disk: groups("Disks that the server uses", {
        path: text("A folder on the disk"),
        total: integer("Bytes in all"),
        free: integer("Bytes that are left for the server"),
        used: integer("Bytes that are taken"),
      }),
      host: group("The machine", {
        hostname: text("Its name"),
        uptime: integer("Seconds since it was started"),
        bootTime: integer("When it was started, in seconds since 1970"),
        os: text("Its operating system"),
        platform: text("Its platform"),
        kernelVersion: text("Version of its kernel"),
        kernelArch: text("Kind of its processors"),
      }),
      memory: group("Memory", {
        total: integer("Bytes in all"),
        available: integer("Bytes that can still be had"),
        used: integer("Bytes that are taken"),
      }),
    },
    handler: async (_input, { services, now }) => ({
      timestamp: now.toISOString(),
      ...(await services.node.hostInfo()),
    }),
  },
});

export const hostPaths = [hostInfo];
