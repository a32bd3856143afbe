/** What an operator sets for the whole mount. Each setting has its default until it is written. */
import { Single } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { parseDuration } from "../../lib/duration.ts";

export interface UrlSettings {
  readonly issuing_certificates: readonly string[];
  readonly crl_distribution_points: readonly string[];
  readonly delta_crl_distribution_points: readonly string[];
  readonly ocsp_servers: readonly string[];
  readonly enable_templating: boolean;
}

export interface ClusterSettings {
  readonly path: string;
  readonly aia_path: string;
}

/** Durations stay as they were written. */
export interface CrlSettings {
  readonly expiry: string;
  readonly disable: boolean;
  readonly ocsp_disable: boolean;
  readonly ocsp_expiry: string;
  readonly auto_rebuild: boolean;
  readonly auto_rebuild_grace_period: string;
  readonly enable_delta: boolean;
  readonly delta_rebuild_interval: string;
  readonly allow_expired_cert_revocation: boolean;
}

export interface IssuerSettings {
  /** An id, or empty. */
  readonly default: string;
  readonly default_follows_latest_issuer: boolean;
}

export interface KeySettings {
  readonly default: string;
}

export const noUrls: UrlSettings = {
  issuing_certificates: [],
  crl_distribution_points: [],
  delta_crl_distribution_points: [],
  ocsp_servers: [],
  enable_templating: false,
};

const usualCrlSettings: CrlSettings = {
  expiry: "72h",
  disable: false,
  ocsp_disable: false,
  ocsp_expiry: "12h",
  auto_rebuild: false,
  auto_rebuild_grace_period: "12h",
  enable_delta: false,
  delta_rebuild_interval: "15m",
  allow_expired_cert_revocation: false,
};

/** A record that reads as its default until it is written. */
export class Setting<Item extends object> {
  readonly #record: Single<Item>;
  readonly #usual: Item;

  constructor(storage: Storage, key: string, usual: Item) {
    this.#record = new Single(storage, key);
    this.#usual = usual;
  }

  async get(): Promise<Readonly<Item>> {
    const kept = await this.#record.get();
    return kept ? { ...this.#usual, ...kept } : this.#usual;
  }

  put(item: Item): void {
    this.#record.put(item);
  }
}

export interface Settings {
  readonly urls: Setting<UrlSettings>;
  readonly cluster: Setting<ClusterSettings>;
  readonly crl: Setting<CrlSettings>;
  readonly issuers: Setting<IssuerSettings>;
  readonly keys: Setting<KeySettings>;
}

export const settingsIn = (storage: Storage): Settings => ({
  urls: new Setting(storage, "config/urls", noUrls),
  cluster: new Setting<ClusterSettings>(storage, "config/cluster", { path: "", aia_path: "" }),
  crl: new Setting(storage, "config/crl", usualCrlSettings),
  issuers: new Setting<IssuerSettings>(storage, "config/issuers", {
    default: "",
    default_follows_latest_issuer: false,
  }),
  keys: new Setting<KeySettings>(storage, "config/keys", { default: "" }),
});

export function checkedCrlSettings(settings: CrlSettings): CrlSettings {
  const expiry = secondsOf(settings, "expiry");
  const ocspExpiry = secondsOf(settings, "ocsp_expiry");
  const grace = secondsOf(settings, "auto_rebuild_grace_period");
  const interval = secondsOf(settings, "delta_rebuild_interval");
  if (ocspExpiry < 0) {
    throw invalidRequest(`ocsp_expiry must be greater than or equal to 0 got: ${settings.ocsp_expiry}`);
  }
  if (expiry <= 0) throw invalidRequest(`expiry must be greater than 0 got: ${settings.expiry}`);
  if (settings.auto_rebuild && grace >= expiry) {
    throw invalidRequest(
      `CRL auto-rebuilding grace period (${settings.auto_rebuild_grace_period}) must be strictly shorter than CRL expiry (${settings.expiry}) value when auto-rebuilding of CRLs is enabled`,
    );
  }
  if (settings.enable_delta && !settings.auto_rebuild) {
    throw invalidRequest(
      "Delta CRLs cannot be enabled when auto rebuilding is disabled as the complete CRL is always regenerated!",
    );
  }
  if (settings.enable_delta && interval >= expiry) {
    throw invalidRequest(
      `CRL delta rebuild window (${settings.delta_rebuild_interval}) must be strictly shorter than CRL expiry (${settings.expiry}) value when delta CRLs are enabled`,
    );
  }
  return settings;
}

type DurationName = "expiry" | "ocsp_expiry" | "auto_rebuild_grace_period" | "delta_rebuild_interval";

function secondsOf(settings: CrlSettings, name: DurationName): number {
  try {
    return parseDuration(settings[name]);
  } catch (error) {
    throw invalidRequest(`given ${name} could not be decoded: ${(error as Error).message}`);
  }
}
