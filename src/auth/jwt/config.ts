/** How a mount knows good tokens: one source of keys, and what goes with it. */
import { Single } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { importPem, type VerificationKey } from "../../lib/jws/key.ts";

export interface Config {
  /** Changes with every write, so that every process knows when to forget what it fetched. */
  readonly revision: string;
  readonly oidc_discovery_url: string;
  readonly oidc_discovery_ca_pem: string;
  readonly oidc_client_id: string;
  readonly oidc_client_secret: string;
  readonly oidc_response_mode: "query" | "form_post";
  readonly oidc_response_types: readonly string[];
  readonly jwks_url: string;
  readonly jwks_ca_pem: string;
  readonly jwt_validation_pubkeys: readonly string[];
  readonly bound_issuer: string;
  readonly jwt_supported_algs: readonly string[];
  readonly default_role: string;
  readonly provider_config: Readonly<Record<string, unknown>>;
  readonly override_allowed_server_names: readonly string[];
  readonly namespace_in_state: boolean;
}

export interface LoadedConfig extends Config {
  /** The parsed `jwt_validation_pubkeys`. */
  readonly keys: readonly VerificationKey[];
}

const place = "config";

export class Configs {
  readonly #storage: Storage;
  readonly #record: Single<Config>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#record = new Single(storage, place);
  }

  get(): Promise<LoadedConfig | undefined> {
    return this.#storage.read(place, loaded);
  }

  put(config: Config): void {
    this.#record.put(config);
  }
}

/** Kept beside the record for as long as it is current, so keys are parsed once. */
function loaded(bytes: Uint8Array): LoadedConfig {
  const config = JSON.parse(Buffer.from(bytes).toString("utf8")) as Config;
  return { ...config, keys: config.jwt_validation_pubkeys.map(importPem) };
}

/** Whether people can log in through the provider's own pages. */
export const hasOidc = (config: Config): boolean =>
  config.oidc_discovery_url !== "" && config.oidc_client_id !== "" && config.oidc_client_secret !== "";
