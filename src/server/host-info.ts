/** The machine that this process runs on, as `sys/host-info` tells it. */
import { statfs } from "node:fs/promises";
import { arch, cpus, freemem, hostname, platform, release, type as systemType, totalmem, uptime } from "node:os";
import type { HostInfo } from "../core/system/server-node.ts";

/** `folder` is on the disk that matters most: where the data is. */
export async function hostInfo(folder: string): Promise<HostInfo> {
  const processors = cpus();
  return {
    cpu: processors.map(({ model, speed }, index) => ({ cpu: index, modelName: model, mhz: speed })),
    cpu_times: processors.map(processorTimes),
    disk: await diskUse(folder),
    host: {
      hostname: hostname(),
      uptime: Math.floor(uptime()),
      bootTime: Math.floor(Date.now() / 1000 - uptime()),
      os: systemType(),
      platform: platform(),
      kernelVersion: release(),
      kernelArch: arch(),
    },
    memory: memoryUse(),
  };
}

type Processor = ReturnType<typeof cpus>[number];

const processorTimes = ({ times }: Processor, index: number) => ({
  cpu: `cpu${index}`,
  user: times.user / 1000,
  system: times.sys / 1000,
  idle: times.idle / 1000,
  nice: times.nice / 1000,
  irq: times.irq / 1000,
});

function memoryUse(): HostInfo["memory"] {
  const total = totalmem();
  const available = freemem();
  return { total, available, used: total - available };
}

/** Nothing where the system does not tell: it is not worth an error. */
async function diskUse(path: string): Promise<HostInfo["disk"]> {
  try {
    const { blocks, bfree, bavail, bsize } = await statfs(path);
    return [{ path, total: blocks * bsize, free: bavail * bsize, used: (blocks - bfree) * bsize }];
  } catch {
    return [];
  }
}
