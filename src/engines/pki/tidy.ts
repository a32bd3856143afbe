/** Removes what is of no use any more, in steps that each commit. */
import { setTimeout } from "node:timers/promises";
import { parseDurationMilliseconds } from "../../lib/duration.ts";
import { isIssuedBy } from "../../lib/x509/issuing.ts";
import { tidyAcmeStep } from "./acme/tidy.ts";
import { endAt, parsedForm, serialAt, serialOf } from "./certificate.ts";
import { rebuildCrls } from "./crl-build.ts";
import type { PkiServices } from "./services.ts";
import type { TidySettings, TidyStatus } from "./tidy-records.ts";

export type Transact = <T>(work: (services: PkiServices) => Promise<T>) => Promise<T>;

type Counts = Record<string, number>;

/** One step of one task: answers where to go on, or undefined at its end. */
type Step = (
  services: PkiServices,
  settings: TidySettings,
  after: string,
  now: Date,
  counts: Counts,
) => Promise<string | undefined>;

interface Task {
  readonly flag: keyof TidySettings;
  readonly message: string;
  readonly step: Step;
}

/** Longer than any step takes. */
const silence = 10 * 60_000;

/** Answers whether it may begin: not while another is under way, in whatever process. */
export async function beginTidy(
  { tidyRecords }: PkiServices,
  settings: TidySettings,
  now: Date,
  isAutomatic: boolean,
): Promise<boolean> {
  const before = await tidyRecords.status.get();
  if (isUnderWay(before, now)) return false;
  const at = now.getTime();
  tidyRecords.status.put({
    state: "Running",
    settings,
    started: at,
    finished: 0,
    beat: at,
    isAutomatic,
    message: "",
    error: "",
    counts: {},
  });
  return true;
}

export const isUnderWay = (status: Readonly<TidyStatus> | undefined, now: Date): boolean =>
  (status?.state === "Running" || status?.state === "Cancelling") && now.getTime() - status.beat < silence;

export async function runTidy(transact: Transact, settings: TidySettings, signal: AbortSignal): Promise<void> {
  const pause = parseDurationMilliseconds(settings.pause_duration);
  try {
    for (const task of tasks) {
      if (settings[task.flag] !== true) continue;
      let after: string | undefined = "";
      while (after !== undefined) {
        if (signal.aborted) return await end(transact, "Cancelled", "the server stopped");
        const from: string = after;
        const step = await transact((services) => oneStep(services, task, settings, from));
        if (step === "cancelled") return await end(transact, "Cancelled", "");
        after = step.after;
        await setTimeout(pause, undefined, { ref: false });
      }
    }
    await end(transact, "Finished", "");
  } catch (error) {
    await end(transact, "Error", "tidying failed; the server's log says why");
    throw error;
  }
}

async function oneStep(services: PkiServices, task: Task, settings: TidySettings, from: string) {
  const now = new Date(services.clock.now());
  const status = await services.tidyRecords.status.get();
  if (status?.state !== "Running") return "cancelled" as const;
  const counts: Counts = { ...status.counts };
  const after = await task.step(services, settings, from, now, counts);
  services.tidyRecords.status.put({ ...status, message: task.message, beat: now.getTime(), counts });
  return { after };
}

async function end(transact: Transact, state: TidyStatus["state"], error: string): Promise<void> {
  await transact(async (services) => {
    const now = new Date(services.clock.now());
    const status = await services.tidyRecords.status.get();
    if (!status) return;
    if ((status.counts["revoked_cert_deleted_count"] ?? 0) > 0 && state === "Finished") {
      const { auto_rebuild } = await services.settings.crl.get();
      if (!auto_rebuild) await rebuildCrls(services, now, () => {});
    }
    if (status.isAutomatic) services.tidyRecords.lastAutomatic.put({ at: now.getTime() });
    services.tidyRecords.status.put({
      ...status,
      state,
      error,
      message: "",
      finished: now.getTime(),
      beat: now.getTime(),
    });
  });
}

const add = (counts: Counts, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

/** In the order of their ends: it stops at the first that is not due. */
const tidyStored: Step = async (services, settings, after, now, counts) => {
  const places = await services.certificates.places({ by: "expiry" }, { after, limit: settings.page_size });
  for (const place of places) {
    if (endAt(place) + settings.safety_buffer >= now.getTime() / 1000) return undefined;
    const serial = serialAt(place);
    const stored = await services.certificates.get(serial);
    if (!stored || (await services.revocations.get(serial))) continue;
    services.certificates.delete(serial, stored);
    add(counts, "cert_store_deleted_count");
  }
  return places.length < settings.page_size ? undefined : places.at(-1);
};

const tidyRevoked: Step = async (services, settings, after, now, counts) => {
  const serials = await services.revocations.list({ after, limit: settings.page_size });
  for (const serial of serials) {
    const revocation = await services.revocations.get(serial);
    if (!revocation) continue;
    if (revocation.not_after + settings.revoked_safety_buffer >= now.getTime() / 1000) continue;
    services.revocations.delete(serial, revocation);
    const stored = await services.certificates.get(serial);
    if (stored) services.certificates.delete(serial, stored);
    add(counts, "revoked_cert_deleted_count");
  }
  return serials.length < settings.page_size ? undefined : serials.at(-1);
};

/** Issuers may have come in after the certificates that they had issued. */
const tidyAssociations: Step = async (services, settings, after, _now, counts) => {
  const serials = await services.revocations.list({ after, limit: settings.page_size });
  const issuers = await services.issuers.all();
  for (const serial of serials) {
    const revocation = await services.revocations.get(serial);
    const stored = await services.certificates.get(serial);
    if (!revocation || issuers.some(({ id }) => id === revocation.issuer_id)) continue;
    add(counts, "missing_issuer_cert_count");
    const certificate = stored && parsedForm(stored);
    const issuer = certificate && issuers.find((each) => isIssuedBy(certificate, each.certificate));
    if (!issuer) continue;
    services.revocations.delete(serial, revocation);
    services.revocations.put(serial, { ...revocation, issuer_id: issuer.id }, true);
  }
  return serials.length < settings.page_size ? undefined : serials.at(-1);
};

const tidyIssuers: Step = async (services, settings, _after, now) => {
  const { default: defaultId } = await services.settings.issuers.get();
  let isChanged = false;
  for (const issuer of await services.issuers.all()) {
    const end = issuer.certificate.notAfter.getTime() / 1000;
    if (issuer.id === defaultId || end + settings.issuer_safety_buffer >= now.getTime() / 1000) continue;
    await services.issuers.delete(issuer, serialOf(issuer.certificate));
    isChanged = true;
  }
  if (isChanged) {
    await services.issuers.rebuildChains();
    await rebuildCrls(services, now, () => {});
  }
  return undefined;
};

const tidyAcme: Step = (services, settings, after, now, counts) =>
  tidyAcmeStep(
    services.acme,
    { orderBufferMs: settings.safety_buffer * 1000, accountBufferMs: settings.acme_account_safety_buffer * 1000 },
    { after, limit: settings.page_size },
    now,
    (name) => add(counts, name),
  );

const tasks: readonly Task[] = [
  { flag: "tidy_cert_store", message: "Tidying certificate store", step: tidyStored },
  {
    flag: "tidy_revoked_cert_issuer_associations",
    message: "Tidying issuers of revoked certificates",
    step: tidyAssociations,
  },
  { flag: "tidy_revoked_certs", message: "Tidying revoked certificates", step: tidyRevoked },
  { flag: "tidy_expired_issuers", message: "Tidying expired issuers", step: tidyIssuers },
  { flag: "tidy_acme", message: "Tidying ACME accounts and orders", step: tidyAcme },
];
