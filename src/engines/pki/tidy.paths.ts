/** Declares tidying: by hand, by itself, watched and cancelled. */
import { invalidRequest } from "../../api/errors.ts";
import { duration, type Fields, flag, integer, partial, text, type Values } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { Answered } from "../../api/reply.ts";
import type { PkiServices } from "./services.ts";
import { beginTidy, isUnderWay, runTidy } from "./tidy.ts";
import {
  type AutoTidySettings,
  isAnythingToTidy,
  type TidySettings,
  type TidyStatus,
  usualAutoTidy,
  usualTidy,
} from "./tidy-records.ts";

const path = pathsFor<PkiServices>();

const tidyFields = {
  tidy_cert_store: flag("Remove certificates that have expired"),
  tidy_revoked_certs: flag("Remove revoked certificates that have expired, from CRLs too"),
  tidy_revocation_list: flag("Another name for tidy_revoked_certs"),
  tidy_invalid_certs: flag("Remove entries that are no certificates"),
  tidy_revoked_cert_issuer_associations: flag("Find the issuers of revoked certificates that have none"),
  tidy_expired_issuers: flag("Remove issuers that have expired, but not the default"),
  tidy_move_legacy_ca_bundle: flag("Accepted for older clients; there is nothing to move"),
  tidy_acme: flag("Remove ACME accounts and orders that are of no use any more"),
  safety_buffer: duration("How long certificates are kept after their end"),
  revoked_safety_buffer: duration("How long revoked certificates are kept after their end"),
  issuer_safety_buffer: duration("How long issuers are kept after their end"),
  acme_account_safety_buffer: duration("How long ACME accounts without orders are kept"),
  pause_duration: text("Pause between steps"),
  page_size: integer("Certificates looked at in one step"),
} satisfies Fields;

const autoTidyFields = {
  enabled: flag("Whether tidying runs by itself"),
  interval_duration: duration("How long after one run the next begins"),
  maintain_stored_certificate_counts: flag("Accepted for older clients: counts are known without"),
  publish_stored_certificate_count_metrics: flag("Accepted for older clients: counts are in the metrics"),
  ...tidyFields,
} satisfies Fields;

function settled<Settings extends TidySettings>(
  before: Settings,
  { tidy_revocation_list, ...changes }: { [Name in keyof Values<typeof autoTidyFields>]?: unknown },
): Settings {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given } as Settings;
  const merged = {
    ...after,
    tidy_revoked_certs: after.tidy_revoked_certs || tidy_revocation_list === true,
    revoked_safety_buffer: (changes.revoked_safety_buffer ??
      changes.safety_buffer ??
      before.revoked_safety_buffer) as number,
  };
  for (const name of [
    "safety_buffer",
    "revoked_safety_buffer",
    "issuer_safety_buffer",
    "acme_account_safety_buffer",
  ] as const) {
    if (merged[name] < 1) throw invalidRequest(`${name} must be greater than zero`);
  }
  if (merged.page_size <= 5) throw invalidRequest("page_size must be greater than five");
  return merged;
}

const tidy = path({
  pattern: "tidy",
  summary: "Remove what is of no use any more",
  write: {
    summary: "Begin to tidy",
    input: partial(tidyFields),
    effects: true,
    async handler(input, { services, transaction, warn, now }) {
      const settings = settled(usualTidy, input);
      if (!(await transaction((inside) => beginTidy(inside, settings, now, false)))) {
        warn("Tidy operation already in progress.");
        return new Answered(200, undefined);
      }
      services.tidying.begin((signal) => runTidy(transaction, settings, signal));
      warn(
        isAnythingToTidy(settings)
          ? "Tidy operation successfully started. Any information from the operation will be printed to the server logs."
          : "Manual tidy requested but no tidy operations were set. Enable at least one tidy operation to be run.",
      );
      return new Answered(202, undefined);
    },
  },
  examples: [{ operation: "write", request: { tidy_cert_store: true, safety_buffer: "24h" } }],
});

const countNames = [
  "cert_store_deleted_count",
  "revoked_cert_deleted_count",
  "missing_issuer_cert_count",
  "total_acme_account_count",
  "acme_account_deleted_count",
  "acme_account_revoked_count",
  "acme_orders_deleted_count",
] as const;

const statusFields = {
  state: text("Inactive, Running, Finished, Error, Cancelling or Cancelled"),
  error: text("What went wrong").nullable(),
  message: text("What it is doing").nullable(),
  time_started: text("When it began").nullable(),
  time_finished: text("When it ended").nullable(),
  last_auto_tidy_finished: text("When it last ended by itself").nullable(),
  ...Object.fromEntries(
    Object.entries(tidyFields)
      .filter(([name]) => name !== "tidy_revocation_list")
      .map(([name, field]) => [name, field.nullable()]),
  ),
  ...Object.fromEntries(countNames.map((name) => [name, integer("How many there were").nullable()])),
} satisfies Fields;

function shownStatus(status: Readonly<TidyStatus> | undefined, last: number | undefined): Values<typeof statusFields> {
  const last_auto_tidy_finished = last === undefined ? null : new Date(last).toISOString();
  const names = Object.keys(statusFields);
  if (!status) {
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    return { ...nothing, state: "Inactive", last_auto_tidy_finished } as Values<typeof statusFields>;
  }
  return {
    ...status.settings,
    ...Object.fromEntries(countNames.map((name) => [name, status.counts[name] ?? 0])),
    state: status.state,
    error: status.error || null,
    message: status.message || null,
    time_started: new Date(status.started).toISOString(),
    time_finished: status.finished > 0 ? new Date(status.finished).toISOString() : null,
    last_auto_tidy_finished,
  } as Values<typeof statusFields>;
}

const status = path({
  pattern: "tidy-status",
  summary: "How far tidying is",
  read: {
    summary: "Read how far tidying is",
    output: statusFields,
    async handler(_, { services }) {
      const last = await services.tidyRecords.lastAutomatic.get();
      return shownStatus(await services.tidyRecords.status.get(), last?.at);
    },
  },
});

const cancel = path({
  pattern: "tidy-cancel",
  summary: "Stop tidying",
  write: {
    summary: "Stop tidying after the step that is under way",
    output: statusFields,
    async handler(_, { services, now, warn }) {
      const before = await services.tidyRecords.status.get();
      if (!before || !isUnderWay(before, now)) {
        warn("Tidy operation cannot be cancelled as none is currently running.");
        return new Answered(200, undefined);
      }
      const after: TidyStatus = { ...before, state: "Cancelling" };
      services.tidyRecords.status.put(after);
      return shownStatus(after, (await services.tidyRecords.lastAutomatic.get())?.at);
    },
  },
});

const { tidy_revocation_list: _, ...shownAutoFields } = autoTidyFields;

const automatic = path({
  pattern: "config/auto-tidy",
  summary: "Tidying that runs by itself",
  read: {
    summary: "Read how tidying runs by itself",
    output: shownAutoFields,
    handler: async (_input, { services }) => (await services.tidyRecords.automatic.get()) ?? usualAutoTidy,
  },
  write: {
    summary: "Set how tidying runs by itself; what is not given stays",
    input: partial(autoTidyFields),
    output: shownAutoFields,
    async handler(input, { services }) {
      const before: AutoTidySettings = (await services.tidyRecords.automatic.get()) ?? usualAutoTidy;
      const after = settled(before, input);
      if (after.enabled && !isAnythingToTidy(after)) {
        throw invalidRequest(
          "Auto-tidy enabled but no tidy operations were requested. Enable at least one tidy operation to be run (tidy_cert_store / tidy_revoked_certs / tidy_revoked_cert_issuer_associations / tidy_expired_issuers / tidy_acme).",
        );
      }
      if (after.publish_stored_certificate_count_metrics && !after.maintain_stored_certificate_counts) {
        throw invalidRequest(
          "Can not publish a running storage metrics count to metrics without first maintaining that count. Enable `maintain_stored_certificate_counts` to enable `publish_stored_certificate_count_metrics`.",
        );
      }
      if (after.interval_duration < 1) throw invalidRequest("interval_duration must be greater than zero");
      services.tidyRecords.automatic.put(after);
      return after;
    },
  },
  examples: [{ operation: "write", request: { enabled: true, tidy_cert_store: true } }],
});

export const tidyPaths = [tidy, status, cancel, automatic];
