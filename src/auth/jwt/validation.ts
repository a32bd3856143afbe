/** What one process keeps for the configuration in force: its keys, and what its provider says of itself. */
import type { Host } from "../../api/engine.ts";
import type { LoadedConfig } from "./config.ts";
import { discover, type ProviderMetadata } from "./discovery.ts";
import { type KeySource, KeySourceError, StaticKeys } from "./key-source.ts";
import { kubernetesSource } from "./providers/kubernetes.ts";
import { RemoteKeys } from "./remote-keys.ts";
import { Web, WebError } from "./web.ts";

const metadataAgeMs = 3_600_000;

/** Made anew whenever the configuration is written, here or by another process. */
export class Validation {
  readonly revision: string;
  readonly keys: KeySource;
  readonly web: Web;
  /** How the provider took the secret of the client the last time. */
  clientAuthentication: "header" | "body" | undefined;
  readonly #config: LoadedConfig;
  readonly #host: Host;
  #metadata: { readonly value: ProviderMetadata; readonly at: number } | undefined;
  #discovering: Promise<ProviderMetadata> | undefined;

  constructor(config: LoadedConfig, host: Host) {
    this.revision = config.revision;
    this.#config = config;
    this.#host = host;
    this.web = new Web(host, tlsOf(config));
    this.keys = this.#source();
  }

  /** The provider's own description, at most an hour old. */
  async metadata(): Promise<ProviderMetadata> {
    const known = this.#metadata;
    if (known && this.#host.clock.now() - known.at < metadataAgeMs) return known.value;
    this.#discovering ??= this.#discover();
    try {
      return await this.#discovering;
    } finally {
      this.#discovering = undefined;
    }
  }

  async #discover(): Promise<ProviderMetadata> {
    const value = await discover(this.web, this.#config.oidc_discovery_url);
    this.#metadata = { value, at: this.#host.clock.now() };
    return value;
  }

  #source(): KeySource {
    const { clock, log } = this.#host;
    const { jwks_url, oidc_discovery_url, keys } = this.#config;
    if (keys.length > 0) return new StaticKeys(keys);
    if (jwks_url !== "") return new RemoteKeys(() => this.#fetched(async () => jwks_url), clock, log);
    if (oidc_discovery_url !== "") {
      return new RemoteKeys(() => this.#fetched(async () => (await this.metadata()).jwksUri), clock, log);
    }
    return kubernetesSource(this.#host);
  }

  async #fetched(address: () => Promise<string>): Promise<string> {
    try {
      return await this.web.text(await address(), { accept: "application/json" });
    } catch (error) {
      if (error instanceof WebError) throw new KeySourceError(`fetching keys ${error.message}`);
      throw error;
    }
  }
}

function tlsOf({ jwks_url, jwks_ca_pem, oidc_discovery_ca_pem, override_allowed_server_names }: LoadedConfig) {
  const ca = jwks_url === "" ? oidc_discovery_ca_pem : jwks_ca_pem;
  return { ...(ca !== "" && { ca }), allowedServerNames: override_allowed_server_names };
}

/** The latest validation of this process. */
export class Validations {
  readonly host: Host;
  #current: Validation | undefined;

  constructor(host: Host) {
    this.host = host;
  }

  for(config: LoadedConfig): Validation {
    if (this.#current?.revision !== config.revision) this.#current = new Validation(config, this.host);
    return this.#current;
  }
}
