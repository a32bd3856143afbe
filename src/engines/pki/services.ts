/** What the handlers of this engine work with. */
import type { Clock, EngineMetrics, Host, Log, Mount, MountInfo, Random, Storage } from "../../api/engine.ts";
import { type Acme, acmeServices } from "./acme/acme.ts";
import { pkiAuthority } from "./acme/pki-authority.ts";
import { CelRoles } from "./cel-role.ts";
import { Certificates } from "./certificate.ts";
import { type Settings, settingsIn } from "./config.ts";
import { Crls } from "./crl.ts";
import { InventoryMetrics } from "./inventory-metrics.ts";
import { Issuers } from "./issuer.ts";
import { Keys } from "./key.ts";
import { KeyPool } from "./key-pool.ts";
import { Revocations } from "./revocation.ts";
import { Roles } from "./role.ts";
import { TidyRecords } from "./tidy-records.ts";
import { Tidying } from "./tidying.ts";

export interface PkiServices {
  readonly storage: Storage;
  readonly settings: Settings;
  readonly roles: Roles;
  readonly celRoles: CelRoles;
  readonly issuers: Issuers;
  readonly keys: Keys;
  readonly certificates: Certificates;
  readonly revocations: Revocations;
  readonly crls: Crls;
  readonly tidyRecords: TidyRecords;
  readonly acme: Acme;
  /** What outlives a request in this process. */
  readonly keyPool: KeyPool;
  readonly tidying: Tidying;
  readonly inventory: InventoryMetrics;
  readonly mount: MountInfo;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: EngineMetrics;
}

export interface PkiState {
  readonly keyPool: KeyPool;
  readonly tidying: Tidying;
  readonly inventory: InventoryMetrics;
}

export const pkiState = ({ log, metrics }: Host): PkiState => ({
  keyPool: new KeyPool(),
  tidying: new Tidying(log),
  inventory: new InventoryMetrics(metrics),
});

export function pkiServices({ storage, host, state }: Mount<PkiState>): PkiServices {
  const { mount, random, clock, log, metrics } = host;
  const settings = settingsIn(storage);
  const services: PkiServices = {
    storage,
    settings,
    roles: new Roles(storage),
    celRoles: new CelRoles(storage),
    issuers: new Issuers(storage, { random, clock }, settings.issuers),
    keys: new Keys(storage, random, settings.keys),
    certificates: new Certificates(storage),
    revocations: new Revocations(storage),
    crls: new Crls(storage),
    tidyRecords: new TidyRecords(storage),
    // It looks back at the services around it, which are complete when it is first asked.
    acme: acmeServices(
      storage,
      host,
      pkiAuthority(() => services),
    ),
    ...state,
    mount,
    random,
    clock,
    log,
    metrics,
  };
  return services;
}
