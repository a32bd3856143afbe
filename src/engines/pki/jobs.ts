/** What this engine does by itself: builds CRLs in time, and tidies. */
import type { LongJob, Tick } from "../../api/engine.ts";
import { parseDuration } from "../../lib/duration.ts";
import { buildComplete, buildDelta, type Group, groupsOf } from "./crl-build.ts";
import type { PkiServices } from "./services.ts";
import { beginTidy, runTidy } from "./tidy.ts";
import { isAnythingToTidy } from "./tidy-records.ts";

export const crlJob: LongJob<PkiServices> = {
  name: "build-crls",
  everySeconds: 10,
  async work(tick) {
    const groups = await tick.transaction(groupsOf);
    for (const { name } of groups) {
      if (tick.signal.aborted) return;
      await tick.transaction((services) => buildIfDue(services, name, tick));
    }
  },
};

async function buildIfDue(services: PkiServices, name: string, { now }: Tick<PkiServices>): Promise<void> {
  const group = (await groupsOf(services)).find((each) => each.name === name);
  if (!group?.signer) return;
  if (await isDue(services, group, now)) await buildComplete(services, group, now);
  else if (await isDeltaDue(services, group, now)) await buildDelta(services, group, now);
}

async function isDue(services: PkiServices, { name }: Group, now: Date): Promise<boolean> {
  const settings = await services.settings.crl.get();
  if (settings.disable) return false;
  const state = await services.crls.state(name);
  if (!state || (await services.crls.isWaiting(name))) return true;
  // Nobody is served by a list that has ended, whether or not its building was left to us.
  const grace = settings.auto_rebuild ? parseDuration(settings.auto_rebuild_grace_period) : 60;
  return now.getTime() >= state.endsAt - grace * 1000;
}

async function isDeltaDue(services: PkiServices, { name, ids }: Group, now: Date): Promise<boolean> {
  const settings = await services.settings.crl.get();
  const state = await services.crls.state(name);
  if (!settings.enable_delta || settings.disable || !state) return false;
  const interval = parseDuration(settings.delta_rebuild_interval) * 1000;
  if (now.getTime() - state.deltaBuiltAt < interval) return false;
  return services.revocations.hasNew(ids);
}

export const tidyJob: LongJob<PkiServices> = {
  name: "tidy-certificates",
  everySeconds: 60,
  async work({ now, signal, transaction }) {
    const settings = await transaction(async (services) => {
      const automatic = await services.tidyRecords.automatic.get();
      if (!automatic?.enabled || !isAnythingToTidy(automatic)) return undefined;
      const last = (await services.tidyRecords.lastAutomatic.get())?.at ?? 0;
      if (now.getTime() - last < automatic.interval_duration * 1000) return undefined;
      return (await beginTidy(services, automatic, now, true)) ? automatic : undefined;
    });
    if (settings) await runTidy(transaction, settings, signal);
  },
};
