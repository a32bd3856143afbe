/** What engines count and show, each under the path of its mount; it goes when the mount goes. */
import type { EngineMetrics } from "../../api/engine.ts";
import type { Metrics, Sample } from "./metrics.ts";

type Kind = "counter" | "gauge";

interface Shared {
  readonly kind: Kind;
  readonly byMount: Map<string, { read: () => number; total: number }>;
}

export class MountMetrics {
  readonly #metrics: Metrics;
  readonly #families = new Map<string, Shared>();
  /** By uuid, since a mount that is moved goes on counting under its new path. */
  readonly #paths = new Map<string, string>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  of(uuid: string, path: string): EngineMetrics {
    this.#paths.set(uuid, path);
    return {
      gauge: (name, help, value) => {
        this.#family(name, help, "gauge").byMount.set(uuid, { read: value, total: 0 });
      },
      count: (name, help, by = 1) => {
        const { byMount } = this.#family(name, help, "counter");
        const known = byMount.get(uuid);
        if (known) known.total += by;
        else byMount.set(uuid, { read: () => byMount.get(uuid)!.total, total: by });
      },
    };
  }

  forget(uuid: string): void {
    this.#paths.delete(uuid);
    for (const { byMount } of this.#families.values()) byMount.delete(uuid);
  }

  #family(name: string, help: string, kind: Kind): Shared {
    const existing = this.#families.get(name);
    if (existing) return existing;
    const made: Shared = { kind, byMount: new Map() };
    const samples = (): Sample[] =>
      [...made.byMount].map(([uuid, { read }]) => ({
        labels: { mount_point: this.#paths.get(uuid) ?? "" },
        value: read(),
      }));
    this.#metrics.byLabel(name, help, kind, samples);
    this.#families.set(name, made);
    return made;
  }
}
