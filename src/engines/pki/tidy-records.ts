/** What tidying is to do, and how far it is. */
import { Single } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";

export interface TidySettings {
  readonly tidy_cert_store: boolean;
  readonly tidy_revoked_certs: boolean;
  readonly tidy_invalid_certs: boolean;
  readonly tidy_revoked_cert_issuer_associations: boolean;
  readonly tidy_expired_issuers: boolean;
  readonly tidy_move_legacy_ca_bundle: boolean;
  readonly tidy_acme: boolean;
  /** Seconds. */
  readonly safety_buffer: number;
  readonly revoked_safety_buffer: number;
  readonly issuer_safety_buffer: number;
  readonly acme_account_safety_buffer: number;
  /** As it was written. */
  readonly pause_duration: string;
  readonly page_size: number;
}

export interface AutoTidySettings extends TidySettings {
  readonly enabled: boolean;
  readonly interval_duration: number;
  readonly maintain_stored_certificate_counts: boolean;
  readonly publish_stored_certificate_count_metrics: boolean;
}

export interface TidyStatus {
  readonly state: "Running" | "Finished" | "Error" | "Cancelling" | "Cancelled";
  readonly settings: TidySettings;
  /** Milliseconds since the epoch; 0 for not yet. */
  readonly started: number;
  readonly finished: number;
  /** When it last did something: one that has been silent for long died with its process. */
  readonly beat: number;
  readonly isAutomatic: boolean;
  readonly message: string;
  readonly error: string;
  readonly counts: Readonly<Record<string, number>>;
}

export class TidyRecords {
  readonly status: Single<TidyStatus>;
  readonly automatic: Single<AutoTidySettings>;
  readonly lastAutomatic: Single<{ readonly at: number }>;

  constructor(storage: Storage) {
    this.status = new Single(storage, "tidy/status");
    this.automatic = new Single(storage, "config/auto-tidy");
    this.lastAutomatic = new Single(storage, "tidy/last-automatic");
  }
}

export const usualTidy: TidySettings = {
  tidy_cert_store: false,
  tidy_revoked_certs: false,
  tidy_invalid_certs: false,
  tidy_revoked_cert_issuer_associations: false,
  tidy_expired_issuers: false,
  tidy_move_legacy_ca_bundle: false,
  tidy_acme: false,
  safety_buffer: 72 * 3600,
  revoked_safety_buffer: 72 * 3600,
  issuer_safety_buffer: 8760 * 3600,
  acme_account_safety_buffer: 720 * 3600,
  pause_duration: "0s",
  page_size: 1000,
};

export const usualAutoTidy: AutoTidySettings = {
  ...usualTidy,
  enabled: false,
  interval_duration: 12 * 3600,
  maintain_stored_certificate_counts: false,
  publish_stored_certificate_count_metrics: false,
};

export const isAnythingToTidy = (settings: TidySettings): boolean =>
  Object.entries(settings).some(([name, value]) => name.startsWith("tidy_") && value === true);
