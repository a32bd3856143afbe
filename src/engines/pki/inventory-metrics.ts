/** How many certificates there are and when the next one ends, for whoever reads the metrics of the process that runs the jobs. */
import type { EngineMetrics, LongJob, Tick } from "../../api/engine.ts";
import { endAt, placeBefore } from "./certificate.ts";
import type { PkiServices } from "./services.ts";

export class InventoryMetrics {
  stored = 0;
  revoked = 0;
  /** Seconds since the epoch; 0 while there is none. */
  nextExpiry = 0;

  constructor(metrics: EngineMetrics) {
    metrics.gauge("pki_certificates", "Certificates that are stored", () => this.stored);
    metrics.gauge("pki_revoked_certificates", "Revoked certificates that are stored", () => this.revoked);
    metrics.gauge(
      "pki_next_expiry_seconds",
      "When the next certificate ends, in seconds since 1970",
      () => this.nextExpiry,
    );
  }
}

const pageSize = 2000;

/** Names alone are counted, a page at a time, so that a million certificates hold up nobody. */
export const countJob: LongJob<PkiServices> = {
  name: "count-certificates",
  everySeconds: 300,
  async work(tick) {
    const stored = await counted(tick, ({ certificates }, after) => certificates.list({ after, limit: pageSize }));
    const revoked = await counted(tick, ({ revocations }, after) => revocations.list({ after, limit: pageSize }));
    const after = placeBefore(tick.now.getTime() / 1000);
    await tick.transaction(async ({ certificates, inventory }) => {
      const [next] = await certificates.places({ by: "expiry" }, { after, limit: 1 });
      Object.assign(inventory, { stored, revoked, nextExpiry: next === undefined ? 0 : endAt(next) });
    });
  },
};

async function counted(
  { transaction, signal }: Tick<PkiServices>,
  page: (services: PkiServices, after: string) => Promise<string[]>,
): Promise<number> {
  let count = 0;
  for (let after = ""; !signal.aborted; ) {
    const from: string = after;
    const names = await transaction((services) => page(services, from));
    count += names.length;
    if (names.length < pageSize) break;
    after = names.at(-1)!;
  }
  return count;
}
